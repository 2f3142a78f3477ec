import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import {
  connectionFile,
  connectionsFolder,
  listRecords,
  readRecord,
  removeRecord,
  writeRecord,
} from './connection-record.ts';
import { ownIdentity, isAlive } from './process-identity.ts';
import { stopForwarders } from './stop-forwarders.ts';

const record = { superServer: 'https://super:6443', namespace: 'default', name: 'team-a', uid: 'u-1', port: 7001 };

beforeEach(async () => {
  vi.stubEnv('CAPN_STATE_DIR', await mkdtemp(join(tmpdir(), 'capn-state-')));
});
afterEach(async () => {
  await rm(join(connectionsFolder(), '..'), { recursive: true });
  vi.unstubAllEnvs();
});

it('keeps a record for the owner only, and forgets it with its neighbours', async () => {
  await writeRecord(record);
  await writeFile(connectionFile('u-1', 'log'), 'x');
  expect((await stat(connectionFile('u-1'))).mode & 0o777).toBe(0o600);
  expect(await readRecord('u-1')).toEqual(record);
  expect(await listRecords()).toEqual([record]);
  await removeRecord('u-1');
  expect(await readdir(connectionsFolder())).toEqual([]);
});

it('takes a broken record for none', async () => {
  await writeRecord(record);
  await writeFile(connectionFile('u-1'), '{"port":');
  expect([await readRecord('u-1'), await listRecords()]).toEqual([undefined, []]);
});

it('knows this process, and not another one that got its id', () => {
  const own = ownIdentity();
  expect(isAlive(own)).toBe(true);
  expect(isAlive({ ...own, startTime: '1' })).toBe(false);
});

it('never ends a process that only has the same id', async () => {
  await writeRecord({ ...record, process: { pid: process.pid, startTime: '1' } });
  const signal = AbortSignal.timeout(5000);
  expect(await stopForwarders({ matches: () => true, forget: false }, signal)).toEqual([]);
  expect((await readRecord('u-1'))?.port).toBe(7001);
  expect(await stopForwarders({ matches: () => true, forget: true }, signal)).toEqual([]);
  expect(await readRecord('u-1')).toBeUndefined();
});
