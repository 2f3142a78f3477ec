import { expect, it } from 'vitest';
import { type CheckResult, startHealthServer } from './health.ts';
import { createMetrics } from './metrics.ts';

async function get(port: number, path: string): Promise<{ status: number; text: string }> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`);
  return { status: answer.status, text: await answer.text() };
}

it('answers for liveness, readiness and metrics', async () => {
  let ready: CheckResult = { ok: false, message: 'not read yet: pods' };
  const checks = { livez: (): CheckResult => ({ ok: true }), readyz: () => ready, metrics: createMetrics() };
  await using server = await startHealthServer({ port: 0, host: '127.0.0.1', ...checks }, new AbortController().signal);
  expect(await get(server.port, '/livez')).toEqual({ status: 200, text: 'ok\n' });
  expect(await get(server.port, '/healthz?verbose')).toEqual({ status: 200, text: 'ok\n' });
  expect(await get(server.port, '/readyz')).toEqual({ status: 503, text: 'not read yet: pods\n' });
  ready = { ok: true };
  expect(await get(server.port, '/readyz')).toEqual({ status: 200, text: 'ok\n' });
  expect((await get(server.port, '/metrics')).text).toContain('capn_leader 0');
  expect((await get(server.port, '/secrets')).status).toBe(404);
});

it('closes when the signal aborts', async () => {
  const ending = new AbortController();
  const checks = { livez: (): CheckResult => ({ ok: true }), readyz: (): CheckResult => ({ ok: true }) };
  const server = await startHealthServer(
    { port: 0, host: '127.0.0.1', ...checks, metrics: createMetrics() },
    ending.signal,
  );
  ending.abort();
  await server[Symbol.asyncDispose]();
  await expect(get(server.port, '/livez')).rejects.toThrow();
});

it('rejects when the port is taken', async () => {
  const checks = { livez: (): CheckResult => ({ ok: true }), readyz: (): CheckResult => ({ ok: true }) };
  const options = { host: '127.0.0.1', ...checks, metrics: createMetrics() };
  const { signal } = new AbortController();
  await using server = await startHealthServer({ port: 0, ...options }, signal);
  await expect(startHealthServer({ port: server.port, ...options }, signal)).rejects.toThrow(/EADDRINUSE/);
});
