import { mkdtemp, readdir, rm, writeFile, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { binaryPath, ensureBinaries } from './ensure-binaries.ts';
import type { ProgressEvent } from './progress.ts';
import { runCommand } from './run-command.ts';

const { signal } = new AbortController();

async function temporaryCache(): Promise<string> {
  const cacheDir = await mkdtemp(join(tmpdir(), 'capn-cache-'));
  onTestFinished(() => rm(cacheDir, { recursive: true }));
  return cacheDir;
}

test('the place of a program names family and version', () => {
  expect(binaryPath('kubectl', '/cache')).toBe('/cache/bin/kubernetes-v1.36.3/kubectl');
  expect(binaryPath('etcdctl', '/cache')).toBe('/cache/bin/etcd-v3.6.8/etcdctl');
});

test('builds what is missing, drops what a killed build left, reports, and does nothing the second time', async () => {
  const cacheDir = await temporaryCache();
  const target = binaryPath('pause', cacheDir);
  await mkdir(dirname(target), { recursive: true });
  await writeFile(join(dirname(target), '.pause.123'), 'half');
  const events: ProgressEvent[] = [];
  const options = { programs: ['pause'] as const, cacheDir, onProgress: (event: ProgressEvent) => events.push(event) };

  expect(await ensureBinaries(options, signal)).toEqual({ pause: target });
  expect(await readdir(dirname(target))).toEqual(['pause']);
  expect(events.map((event) => event.kind)).toEqual(expect.arrayContaining(['started', 'advanced', 'done']));

  events.length = 0;
  await ensureBinaries(options, signal);
  expect(events).toEqual([]);
});

test('two at once build one after the other', async () => {
  const cacheDir = await temporaryCache();
  const options = { programs: ['pause'] as const, cacheDir };
  const [first, second] = await Promise.all([ensureBinaries(options, signal), ensureBinaries(options, signal)]);
  expect(first).toEqual(second);
  await expect(runCommand(['timeout', '0.2', first.pause], {}, signal)).rejects.toThrow(/status (124|143)/);
});

test('an aborted call does not build', async () => {
  const cacheDir = await temporaryCache();
  const aborted = AbortSignal.abort(new Error('stopped'));
  await expect(ensureBinaries({ programs: ['pause'], cacheDir }, aborted)).rejects.toThrow('stopped');
});

test('without Go one message says what is wanted and what to do', async () => {
  const cacheDir = await temporaryCache();
  const script = `
    const { ensureBinaries } = await import(${JSON.stringify(join(import.meta.dirname, 'ensure-binaries.ts'))});
    const options = { programs: ['pause'], cacheDir: ${JSON.stringify(cacheDir)} };
    await ensureBinaries(options, new AbortController().signal).catch((error) => process.stdout.write(error.message));`;
  const env = { PATH: '/nowhere' };
  const message = await runCommand([process.execPath, '--input-type=module', '-e', script], { env }, signal);
  expect(message).toMatch(/^Go 1\.26 or newer .* there is none: install it, see https:/);
});
