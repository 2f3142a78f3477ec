import { chmod, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { mergeIntoFile, userKubeconfigFile, writeOwnFile } from './write-kubeconfig.ts';
import type { TenantKubeconfig } from './connection/tenant-kubeconfig.ts';

const addition: TenantKubeconfig = {
  apiVersion: 'v1',
  kind: 'Config',
  'current-context': 'a',
  clusters: [{ name: 'a', cluster: { server: 'https://127.0.0.1:7001', 'certificate-authority-data': 'Q0E=' } }],
  users: [{ name: 'a', user: {} }],
  contexts: [{ name: 'a', context: { cluster: 'a', user: 'a' } }],
};

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'capn-kubeconfig-'));
});
afterEach(async () => await rm(folder, { recursive: true }));

const modeOf = async (file: string) => (await stat(file)).mode & 0o777;

it('makes the file and its folder, for the owner only', async () => {
  const file = join(folder, '.kube', 'config');
  expect(await mergeIntoFile(file, addition, false)).toBe('changed');
  expect([await modeOf(file), await modeOf(join(folder, '.kube'))]).toEqual([0o600, 0o700]);
  expect(await mergeIntoFile(file, addition, false)).toBe('same');
  expect(await readdir(join(folder, '.kube'))).toEqual(['config']);
});

it('keeps the mode, and a link a link', async () => {
  const file = join(folder, 'real');
  await writeFile(file, '');
  await chmod(file, 0o640);
  await symlink(file, join(folder, 'link'));
  await mergeIntoFile(join(folder, 'link'), addition, false);
  expect(await modeOf(file)).toBe(0o640);
  expect(await readFile(file, 'utf8')).toContain('https://127.0.0.1:7001');
  expect((await readdir(folder)).sort()).toEqual(['link', 'real']);
});

it('leaves the file as it was when it refuses', async () => {
  const file = join(folder, 'config');
  const mine = 'clusters:\n- name: a\n  cluster: {server: https://other}\n';
  await writeFile(file, mine);
  await expect(mergeIntoFile(file, addition, false)).rejects.toThrow(/clusters\/a/);
  expect(await readFile(file, 'utf8')).toBe(mine);
  expect(await readdir(folder)).toEqual(['config']);
});

it('does not write while kubectl holds the lock', async () => {
  const file = join(folder, 'config');
  await writeFile(`${file}.lock`, '');
  await expect(mergeIntoFile(file, addition, false)).rejects.toThrow(/another program/);
  expect(await readdir(folder)).toEqual(['config.lock']);
});

it('takes the first existing file of KUBECONFIG, else the last', async () => {
  const [first, second] = [join(folder, 'first'), join(folder, 'second')];
  const env = { KUBECONFIG: `${first}:${second}` };
  expect(await userKubeconfigFile(env)).toBe(second);
  await writeFile(first, '');
  expect(await userKubeconfigFile(env)).toBe(first);
});

it('replaces a file of its own only if it is of the same tenant, or forced', async () => {
  const file = join(folder, 'a.kubeconfig');
  await writeOwnFile(file, addition, false);
  await writeOwnFile(file, addition, false);
  expect(await modeOf(file)).toBe(0o600);
  await writeFile(file, 'my notes');
  await expect(writeOwnFile(file, addition, false)).rejects.toThrow(/holds something else/);
  await writeOwnFile(file, addition, true);
  expect(await readFile(file, 'utf8')).toContain('https://127.0.0.1:7001');
});
