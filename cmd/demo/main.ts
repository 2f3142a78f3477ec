import { parseArgs } from 'node:util';
import { createKubeClient, loadClusterConfig } from '#kube';
import { renderProgress, sandboxUp } from '#sandbox';
import { exitCodes } from '../capn/exit-codes.ts';
import { explainError } from '../capn/explain-error.ts';
import { startLiveLine } from '../capn/progress/live-line.ts';
import { processTerminal } from '../capn/terminal.ts';
import { takeDown } from './down.ts';
import { bringUpTenant, nextSteps } from './first-tenant.ts';
import { installProvider, waitForProvider } from './install-provider.ts';
import { createPhases } from './phases.ts';

const terminal = processTerminal();
const onProgress = renderProgress(process.stderr);

/** From an empty machine to a tenant that serves; each part finds what is there already. */
async function demo(name: string, signal: AbortSignal): Promise<void> {
  const phases = createPhases(terminal.note);
  const sandbox = await phases.run('Super cluster', async () => await sandboxUp({ name, onProgress }, signal));
  await using client = createKubeClient(await loadClusterConfig({ kubeconfigPath: sandbox.kubeconfig }));
  await phases.run('Provider', async () => {
    await installProvider({ sandbox, client, onProgress }, signal);
    await using live = startLiveLine(terminal);
    await waitForProvider(client, live, signal);
  });
  const file = await phases.run('Tenant team-a', async () => {
    await using live = startLiveLine(terminal);
    return await bringUpTenant({ sandbox, client, live }, signal);
  });
  for (const line of nextSteps(sandbox, file, name)) terminal.out(`${line}\n`);
  terminal.note(`\n${phases.summary()}`);
}

async function main(signal: AbortSignal): Promise<void> {
  const options = { down: { type: 'boolean', default: false }, name: { type: 'string', default: 'demo' } } as const;
  const { values } = parseArgs({ options });
  if (!values.down) return await demo(values.name, signal);
  terminal.note(await takeDown(values.name, onProgress, signal));
}

const stop = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort());
try {
  await main(stop.signal);
} catch (error) {
  const { exit, message, advice } = explainError(error);
  const isInterrupted = stop.signal.aborted;
  terminal.note(isInterrupted ? '\nstopped; npm run demo goes on from here' : `\ndemo: ${message}\n  ${advice}`);
  process.exitCode = exitCodes[isInterrupted ? 'interrupted' : exit].code;
}
