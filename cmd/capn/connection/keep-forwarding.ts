import { setTimeout as sleep } from 'node:timers/promises';
import { nestedControlPlanes, type NestedControlPlane } from '#apis';
import { keyOf, uidOf, type ClusterConfig, type KubeClient } from '#kube';
import { readRecord, removeRecord, writeRecord, type ConnectionRecord } from './connection-record.ts';
import { startForwardServer, type ForwardServer } from './forward-server.ts';
import { tenantStreamOpener } from './open-tenant-stream.ts';
import { isAlive, ownIdentity } from './process-identity.ts';

/** When a background forwarder ends by itself, in milliseconds. */
const forwarderLimits = { checkMs: 10_000, idleMs: 3_600_000, superLostMs: 300_000 } as const;

/** Why a background forwarder ended. */
export type EndReason = 'gone' | 'idle' | 'superLost' | 'replaced' | 'alreadyRunning' | 'stopped';

export interface ForwarderOptions {
  readonly client: KubeClient;
  readonly config: ClusterConfig;
  readonly controlPlane: NestedControlPlane;
  readonly log: (line: string) => void;
  readonly limits?: { readonly checkMs: number; readonly idleMs: number; readonly superLostMs: number };
}

/**
 * Forwards until the control plane is gone, nobody has used it for an hour, the super cluster has not answered for five
 * minutes, or `signal` fires; says which. The record names this process while it runs, and keeps the port afterwards.
 */
export async function keepForwarding(options: ForwarderOptions, signal: AbortSignal): Promise<EndReason> {
  const { client, config, controlPlane, log } = options;
  const uid = uidOf(controlPlane);
  const before = await readRecord(uid);
  if (before?.process !== undefined && isAlive(before.process)) return 'alreadyRunning';
  const open = tenantStreamOpener({ client, config, controlPlane });
  const onError = (error: unknown): void => log(error instanceof Error ? error.message : String(error));
  await using server = await startOn(
    before?.port ?? 0,
    async (port) => await startForwardServer({ port, open, onError }, signal),
  );
  const record = recordOf(options, server.port);
  await writeRecord({ ...record, process: ownIdentity() });
  log(`forwarding 127.0.0.1:${server.port} to ${record.namespace}/${record.name}`);
  const reason = await watchOver(options, server, signal);
  if (reason === 'gone') await removeRecord(uid);
  else if (reason !== 'replaced') await writeRecord(record);
  return reason;
}

/** Takes the port of last time if it is free still, else another one. */
async function startOn(port: number, start: (port: number) => Promise<ForwardServer>): Promise<ForwardServer> {
  try {
    return await start(port);
  } catch (error) {
    if (port === 0 || (error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    return await start(0);
  }
}

function recordOf({ client, controlPlane }: ForwarderOptions, port: number): ConnectionRecord {
  const { namespace = '', name = '' } = controlPlane.metadata;
  return { superServer: client.server, namespace, name, uid: uidOf(controlPlane), port };
}

async function watchOver(options: ForwarderOptions, server: ForwardServer, signal: AbortSignal): Promise<EndReason> {
  const limits = options.limits ?? forwarderLimits;
  let answeredAt = performance.now();
  for (;;) {
    const stopped = await sleep(limits.checkMs, false, { signal }).catch(() => true);
    if (stopped) return 'stopped';
    const state = await stateOf(options, signal);
    if (state === 'there') answeredAt = performance.now();
    if (state === 'gone') return 'gone';
    if (performance.now() - answeredAt > limits.superLostMs) return 'superLost';
    if (server.idleMs() > limits.idleMs) return 'idle';
    if ((await readRecord(uidOf(options.controlPlane)))?.process?.pid !== process.pid) return 'replaced';
  }
}

async function stateOf(
  { client, controlPlane }: ForwarderOptions,
  signal: AbortSignal,
): Promise<'there' | 'gone' | 'unknown'> {
  const key = keyOf(controlPlane);
  try {
    const now = await client.get(nestedControlPlanes, key, signal);
    return now?.metadata.uid === controlPlane.metadata.uid ? 'there' : 'gone';
  } catch {
    return 'unknown';
  }
}
