import { setTimeout as sleep } from 'node:timers/promises';
import { listRecords, removeRecord, type ConnectionRecord } from './connection-record.ts';
import { endProcess, isAlive, type ProcessIdentity } from './process-identity.ts';

const endMs = 5000;

export interface StopOptions {
  readonly matches: (record: ConnectionRecord) => boolean;
  /** Forget the records with their ports; else a later forwarder takes the same port. */
  readonly forget: boolean;
}

/**
 * Ends the background forwarders whose records match. Returns those that ran.
 * Needs no super cluster. **Guarantees** a process that only has the same id as a recorded one is left alone.
 */
export async function stopForwarders(
  { matches, forget }: StopOptions,
  signal: AbortSignal,
): Promise<readonly ConnectionRecord[]> {
  const records = (await listRecords()).filter(matches);
  const ran = await Promise.all(records.map(async (record) => ((await stopOne(record, signal)) ? [record] : [])));
  if (forget) await Promise.all(records.map(async ({ uid }) => await removeRecord(uid)));
  return ran.flat();
}

async function stopOne(record: ConnectionRecord, signal: AbortSignal): Promise<boolean> {
  return record.process !== undefined && (await stopProcess(record.process, signal));
}

async function stopProcess(identity: ProcessIdentity, signal: AbortSignal): Promise<boolean> {
  const ran = endProcess(identity);
  const deadline = performance.now() + endMs;
  while (isAlive(identity) && performance.now() < deadline) await sleep(50, undefined, { signal });
  return ran;
}
