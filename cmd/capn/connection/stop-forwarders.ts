import { setTimeout as sleep } from 'node:timers/promises';
import { listRecords, removeRecord, type ConnectionRecord } from './connection-record.ts';
import { endProcess, isAlive, type ProcessIdentity } from './process-identity.ts';

const endMs = 5000;

/**
 * Ends the background forwarders of the records that `matches` accepts and forgets them. Returns those that ran.
 * Needs no super cluster. **Guarantees** a process that only has the same id as a recorded one is left alone.
 */
export async function stopForwarders(
  matches: (record: ConnectionRecord) => boolean,
  signal: AbortSignal,
): Promise<readonly ConnectionRecord[]> {
  const records = (await listRecords()).filter(matches);
  return (await Promise.all(records.map(async (record) => ((await stopOne(record, signal)) ? [record] : [])))).flat();
}

async function stopOne(record: ConnectionRecord, signal: AbortSignal): Promise<boolean> {
  const ran = record.process !== undefined && (await stopProcess(record.process, signal));
  await removeRecord(record.uid);
  return ran;
}

async function stopProcess(identity: ProcessIdentity, signal: AbortSignal): Promise<boolean> {
  const ran = endProcess(identity);
  const deadline = performance.now() + endMs;
  while (isAlive(identity) && performance.now() < deadline) await sleep(50, undefined, { signal });
  return ran;
}
