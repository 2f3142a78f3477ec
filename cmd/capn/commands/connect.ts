import { Command } from 'commander';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { uidOf } from '#kube';
import { withCommonFlags, type CommonFlags } from '../common-flags.ts';
import { connectionFile, type ConnectionRecord } from '../connection/connection-record.ts';
import { startForwardServer } from '../connection/forward-server.ts';
import { tenantStreamOpener } from '../connection/open-tenant-stream.ts';
import { stopForwarders } from '../connection/stop-forwarders.ts';
import { readTenantKubeconfig, throughLocalPort } from '../connection/tenant-kubeconfig.ts';
import { requireControlPlane } from '../control-plane.ts';
import { portOption } from '../parse-port.ts';
import { inSession, type CliContext, type Session } from '../session.ts';
import { writeOwnFile } from '../write-kubeconfig.ts';

interface ConnectFlags extends CommonFlags {
  readonly port: number;
  readonly stop?: true;
}

/** `capn connect NAME`: a port-forward to the tenant in the foreground. */
export function connectCommand(context: CliContext): Command {
  return withCommonFlags(new Command('connect'))
    .description('Forward a local port to the tenant until Ctrl-C, and print the KUBECONFIG to use meanwhile')
    .argument('<name>', 'name of the control plane')
    .addOption(portOption('on 127.0.0.1', 'a free one'))
    .option('--stop', 'end the background port-forward that capn kubeconfig started, instead')
    .action(async (name: string, flags: ConnectFlags) => {
      await inSession(flags, context, async (session) => await connect(session, flags, name));
    });
}

async function connect(session: Session, flags: ConnectFlags, name: string): Promise<void> {
  await (flags.stop === true ? stop(session, name) : forward(session, flags, name));
}

async function stop({ client, namespace, note, terminal, signal }: Session, name: string): Promise<void> {
  const matches = (record: ConnectionRecord): boolean =>
    record.superServer === client.server && record.namespace === namespace && record.name === name;
  const ended = await stopForwarders({ matches, forget: false }, signal);
  for (const { port } of ended) terminal.out(`ended the port-forward on 127.0.0.1:${port}\n`);
  if (ended.length === 0) note(`no background port-forward to ${namespace}/${name} runs`);
}

async function forward(session: Session, flags: ConnectFlags, name: string): Promise<void> {
  const { client, config, namespace, note, terminal, signal } = session;
  const controlPlane = await requireControlPlane(client, { namespace, name }, signal);
  const kubeconfig = await readTenantKubeconfig(client, controlPlane, signal);
  const onError = (error: unknown): void => note(error instanceof Error ? error.message : String(error));
  const open = tenantStreamOpener({ client, config, controlPlane });
  await using server = await startForwardServer({ port: flags.port, open, onError }, signal);
  const file = connectionFile(`${uidOf(controlPlane)} ${process.pid}`, 'kubeconfig');
  await using _file = { [Symbol.asyncDispose]: async () => await rm(file, { force: true }) };
  await writeOwnFile(file, throughLocalPort(kubeconfig, server.port), true);
  terminal.out(`export KUBECONFIG=${file}\n`);
  note(`forwarding 127.0.0.1:${server.port} to ${namespace}/${name}; Ctrl-C ends it`);
  await untilAborted(signal);
}

async function untilAborted(signal: AbortSignal): Promise<void> {
  // A signal alone keeps no process alive, but the listening socket does.
  if (!signal.aborted) await once(signal, 'abort');
}
