import { Command } from 'commander';
import { createKubeClient, loadClusterConfig } from '#kube';
import { renderProgress, sandboxUp } from '#sandbox';
import { exitCodes } from '../capn/exit-codes.ts';
import { startLiveLine } from '../capn/progress/live-line.ts';
import { reportError } from '../capn/report-error.ts';
import { processTerminal } from '../capn/terminal.ts';
import { takeDown } from '../capn/take-down.ts';
import { bringUpTenant, nextSteps } from './first-tenant.ts';
import { installProvider, waitForProvider } from './install-provider.ts';
import { createPhases } from './phases.ts';

const terminal = processTerminal();
const onProgress = renderProgress(process.stderr);

function downText(name: string, wasThere: boolean): string {
  if (!wasThere) return `nothing to take down: there is no sandbox '${name}'`;
  return `the sandbox '${name}' is gone; what was built stays in the cache, so that the next run is fast`;
}

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

function demoCommand(signal: AbortSignal): Command {
  return new Command('demo')
    .description('From an empty Linux machine to a tenant that serves: super cluster, provider, tenant. Needs root.')
    .option('--name <name>', 'name of the sandbox', 'demo')
    .option('--down', 'remove it with all that it has')
    .option('--debug', 'print where an error comes from')
    .exitOverride()
    .action(async ({ name, down }: { readonly name: string; readonly down?: true }) => {
      if (down === true) terminal.note(downText(name, await takeDown(name, onProgress, signal)));
      else await demo(name, signal);
    });
}

const stop = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort());
try {
  await demoCommand(stop.signal).parseAsync();
} catch (error) {
  const isDebug = process.argv.includes('--debug');
  if (stop.signal.aborted) terminal.note('\nstopped; the same command goes on from here');
  process.exitCode = stop.signal.aborted
    ? exitCodes.interrupted.code
    : reportError(error, terminal, { program: 'demo', isDebug });
}
