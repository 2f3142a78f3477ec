import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findProcess, startProcess, stopProcess, type ProcessSpec } from './managed-process.ts';

const { signal } = new AbortController();

async function specOf(script: string): Promise<ProcessSpec> {
  const folder = await mkdtemp(join(tmpdir(), 'capn-process-'));
  const spec: ProcessSpec = {
    name: 'test',
    command: ['/bin/sh', '-c', script],
    pidFile: join(folder, 'pids', 'test'),
    logFile: join(folder, 'logs', 'test.log'),
    fingerprint: 'one',
    env: { PATH: process.env['PATH'] ?? '', GREETING: 'hello' },
  };
  onTestFinished(async () => {
    await stopProcess(spec.pidFile, { graceMs: 0 }, signal);
    await rm(folder, { recursive: true });
  });
  return spec;
}

test('a started process is recorded, found and logged', async () => {
  const spec = await specOf('echo "$GREETING"; exec sleep 60');
  const child = startProcess(spec);
  await expect.poll(() => findProcess(spec.pidFile)).toMatchObject({ pid: child.pid, fingerprint: 'one' });
  await expect.poll(() => readFile(spec.logFile, 'utf8')).toBe('hello\n');
});

test('a killed process is no longer found', async () => {
  const spec = await specOf('exec sleep 60');
  startProcess(spec);
  const found = await expect
    .poll(() => findProcess(spec.pidFile))
    .toBeDefined()
    .then(() => findProcess(spec.pidFile));
  process.kill(found?.pid ?? 0, 'SIGKILL');
  await expect.poll(() => findProcess(spec.pidFile)).toBeUndefined();
});

test('another process that got the same id is not taken for it', async () => {
  const spec = await specOf('exec sleep 60');
  startProcess(spec);
  await expect.poll(() => findProcess(spec.pidFile)).toBeDefined();
  const [boot = '', stat = '', fingerprint = ''] = (await readFile(spec.pidFile, 'utf8')).split('\n');
  const fields = stat.split(' ');
  const later = [...fields.slice(0, 21), String(Number(fields[21]) + 1), ...fields.slice(22)].join(' ');
  await writeFile(spec.pidFile, [boot, later, fingerprint, ''].join('\n'));
  expect(findProcess(spec.pidFile)).toBeUndefined();
  await writeFile(spec.pidFile, ['another-boot', stat, fingerprint, ''].join('\n'));
  expect(findProcess(spec.pidFile)).toBeUndefined();
  await writeFile(spec.pidFile, [boot, stat, fingerprint, ''].join('\n'));
  expect(findProcess(spec.pidFile)).toBeDefined();
});

test('a process that ignores SIGTERM is killed when its grace is over', async () => {
  const spec = await specOf("trap '' TERM; echo ready; while true; do sleep 0.05; done");
  startProcess(spec);
  await expect.poll(() => readFile(spec.logFile, 'utf8').catch(() => '')).toBe('ready\n');
  await stopProcess(spec.pidFile, { graceMs: 200 }, signal);
  expect(findProcess(spec.pidFile)).toBeUndefined();
});

test('stopping what does not run, or was never started, is fine', async () => {
  const spec = await specOf('exit 0');
  await stopProcess(spec.pidFile, {}, signal);
  await writeFile(join(spec.pidFile, '..', '..', 'broken'), 'nonsense');
  expect(findProcess(join(spec.pidFile, '..', '..', 'broken'))).toBeUndefined();
});
