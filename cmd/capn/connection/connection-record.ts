import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stateFolder } from '../state-folder.ts';
import type { ProcessIdentity } from './process-identity.ts';

/** What is remembered of the way to one tenant. The port stays when the process ends, so that kubeconfigs stay right. */
export interface ConnectionRecord {
  /** URL of the super cluster. */
  readonly superServer: string;
  readonly namespace: string;
  readonly name: string;
  /** UID of the NestedControlPlane: a later one of the same name gets a record of its own. */
  readonly uid: string;
  /** Port on 127.0.0.1. */
  readonly port: number;
  /** The background process that forwards; absent when it has ended in good order. */
  readonly process?: ProcessIdentity;
}

/** The folder of all records. Files in it are readable by their owner only. */
export function connectionsFolder(): string {
  return join(stateFolder(), 'connections');
}

/** The file of a control plane's record; `extension` for its neighbours (log, kubeconfig). */
export function connectionFile(uid: string, extension = 'json'): string {
  const hash = createHash('sha256').update(uid).digest('hex').slice(0, 16);
  return join(connectionsFolder(), `${hash}.${extension}`);
}

/** The record of a control plane, if there is one. An unreadable one counts as none. */
export async function readRecord(uid: string): Promise<ConnectionRecord | undefined> {
  return await readFileRecord(connectionFile(uid));
}

/** Writes a record. **Guarantees** a reader sees the old record or the new one, never half of it. */
export async function writeRecord(record: ConnectionRecord): Promise<void> {
  await mkdir(connectionsFolder(), { recursive: true, mode: 0o700 });
  const file = connectionFile(record.uid);
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, `${JSON.stringify(record, undefined, 2)}\n`, { mode: 0o600 });
  await rename(draft, file);
}

/** Forgets a control plane: its record and the files beside it. */
export async function removeRecord(uid: string): Promise<void> {
  const files = ['json', 'log', 'kubeconfig'].map((extension) => connectionFile(uid, extension));
  await Promise.all(files.map(async (file) => await rm(file, { force: true })));
}

/** All records. */
export async function listRecords(): Promise<readonly ConnectionRecord[]> {
  const names = await readdir(connectionsFolder()).catch(() => []);
  const files = names.filter((name) => name.endsWith('.json')).map((name) => join(connectionsFolder(), name));
  return (await Promise.all(files.map(readFileRecord))).filter((record) => record !== undefined);
}

async function readFileRecord(file: string): Promise<ConnectionRecord | undefined> {
  try {
    const record = JSON.parse(await readFile(file, 'utf8')) as Partial<ConnectionRecord>;
    return typeof record.port === 'number' && typeof record.uid === 'string' ? (record as ConnectionRecord) : undefined;
  } catch {
    return undefined;
  }
}
