import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { acquireLock } from './lock.ts';

const { signal } = new AbortController();

test('a lock is held by one at a time, and who waits is told who has it', async () => {
  const name = `test ${process.pid} a`;
  const order: string[] = [];
  const first = await acquireLock(name, {}, signal);
  const second = (async () => {
    await using _lock = await acquireLock(name, { onWait: (holder) => order.push(`held by ${holder}`) }, signal);
    order.push('second');
  })();
  await expect.poll(() => order).toEqual([`held by ${process.pid}`]);
  order.push('first done');
  await first[Symbol.asyncDispose]();
  await second;
  expect(order).toEqual([`held by ${process.pid}`, 'first done', 'second']);
});

test('locks of other names do not disturb each other', async () => {
  await using _first = await acquireLock(`test ${process.pid} b`, {}, signal);
  await using _second = await acquireLock(`test ${process.pid} c`, {}, signal);
});

test('a killed holder gives the lock back', async () => {
  const name = `test ${process.pid} d`;
  const script = `
    const { acquireLock } = await import(${JSON.stringify(join(import.meta.dirname, 'lock.ts'))});
    await acquireLock(${JSON.stringify(name)}, {}, new AbortController().signal);
    process.stdout.write('held'); setInterval(() => undefined, 1000);`;
  const holder = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(holder.stdout, 'data');
  await expect(acquireLock(name, {}, AbortSignal.timeout(300))).rejects.toThrow();
  holder.kill('SIGKILL');
  await using _lock = await acquireLock(name, {}, AbortSignal.timeout(5000));
});
