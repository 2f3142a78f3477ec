import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ConfigMap, createKubeClient, type KubeClient, resources } from '#kube';
import { type ApiServerFixture, startApiServer } from '../fixtures/api-server.ts';
import { type FaultProxy, startFaultProxy } from '../fixtures/fault-proxy.ts';

const never = new AbortController().signal;
const namespace = 'default';
let server: ApiServerFixture;
let proxy: FaultProxy;
/** Through the proxy, and past it. */
let client: KubeClient;
let direct: KubeClient;
let seenBefore = 0;

beforeAll(async () => {
  server = await startApiServer();
  proxy = await startFaultProxy(server.config);
  client = createKubeClient(proxy.config);
  direct = createKubeClient(server.config);
});

afterAll(async () => {
  await client[Symbol.asyncDispose]();
  await direct[Symbol.asyncDispose]();
  await proxy[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

beforeEach(() => {
  seenBefore = proxy.requests.length;
});

function seen(): readonly string[] {
  return proxy.requests.slice(seenBefore);
}

function configMap(name: string, data: Record<string, string> = {}): ConfigMap {
  return { metadata: { namespace, name }, data };
}

async function timed<T>(action: Promise<T>): Promise<{ readonly outcome: unknown; readonly ms: number }> {
  const startedMs = performance.now();
  const outcome = await action.catch((error: unknown) => error);
  return { outcome, ms: performance.now() - startedMs };
}

const down = { kind: 'answer', status: 503, body: 'no backend' } as const;

describe('reads', () => {
  test('are tried again after 503, 429 and a reset, until one succeeds', async () => {
    proxy.fail(down, { kind: 'answer', status: 429 }, { kind: 'reset' });
    const object = await client.get(resources.namespaces, { name: 'default' }, never);
    expect(object?.metadata.name).toBe('default');
    expect(seen()).toHaveLength(4);
  });

  test('wait for as long as Retry-After asks', async () => {
    proxy.fail({ kind: 'answer', status: 429, headers: { 'retry-after': '1' } });
    const { ms } = await timed(client.get(resources.namespaces, { name: 'default' }, never));
    expect(ms).toBeGreaterThan(1000);
    expect(ms).toBeLessThan(2000);
  });

  test('report a long Retry-After at once instead of waiting', async () => {
    proxy.fail({ kind: 'answer', status: 429, headers: { 'retry-after': '600' } });
    const { outcome, ms } = await timed(client.get(resources.namespaces, { name: 'default' }, never));
    expect(outcome).toMatchObject({ code: 'THROTTLED', retryAfterSeconds: 600 });
    expect(ms).toBeLessThan(500);
  });

  test('give up after five', async () => {
    proxy.fail(down, down, down, down, down, down);
    const { outcome } = await timed(client.list(resources.namespaces, {}, never));
    expect(outcome).toMatchObject({ code: 'UNAVAILABLE', status: 503, message: 'LIST namespaces: 503 no backend' });
    expect(seen()).toHaveLength(5);
    await client.get(resources.namespaces, { name: 'default' }, never);
  });

  test('do not repeat what 500 answered', async () => {
    proxy.fail({ kind: 'answer', status: 500, body: '<html>oops</html>' });
    const { outcome } = await timed(client.get(resources.namespaces, { name: 'default' }, never));
    expect(outcome).toMatchObject({ code: 'UNAVAILABLE', status: 500 });
    expect(seen()).toHaveLength(1);
  });

  test('are tried again when the answer is cut', async () => {
    proxy.fail({ kind: 'cut', afterBytes: 40, by: 'reset' });
    const object = await client.get(resources.namespaces, { name: 'default' }, never);
    expect(object?.metadata.name).toBe('default');
    expect(seen()).toHaveLength(2);
  });

  test('are tried again when the answer is cut and looks whole', async () => {
    proxy.fail({ kind: 'cut', afterBytes: 40, by: 'end' });
    expect(await client.get(resources.namespaces, { name: 'default' }, never)).toMatchObject({ kind: 'Namespace' });
    expect(seen()).toHaveLength(2);
  });

  test('whose answer is not JSON fail without quoting it', async () => {
    const broken = { kind: 'answer', status: 200, body: '{"data": hunter2' } as const;
    proxy.fail(broken, broken, broken, broken, broken);
    const { outcome } = await timed(client.get(resources.secrets, { namespace, name: 'x' }, never));
    expect(outcome).toMatchObject({ code: 'UNAVAILABLE' });
    expect(String((outcome as Error).stack)).not.toContain('hunter2');
  });
});

describe('writes', () => {
  test('POST is tried again after 429, and after nothing else', async () => {
    proxy.fail({ kind: 'answer', status: 429 });
    await client.create(resources.configMaps, configMap('throttled'), never);
    expect(seen()).toHaveLength(2);
    proxy.fail(down);
    const refused = await timed(client.create(resources.configMaps, configMap('refused'), never));
    expect(refused.outcome).toMatchObject({ code: 'UNAVAILABLE', status: 503 });
    expect(seen()).toHaveLength(3);
  });

  test('POST whose answer is lost is reported, not repeated', async () => {
    proxy.fail({ kind: 'resetAnswer' });
    const { outcome } = await timed(client.create(resources.configMaps, configMap('lost'), never));
    expect(outcome).toMatchObject({ code: 'UNAVAILABLE', status: undefined });
    expect(seen()).toHaveLength(1);
    expect(await direct.get(resources.configMaps, { namespace, name: 'lost' }, never)).toBeDefined();
  });

  test('DELETE whose answer is lost ends as gone, apply as applied', async () => {
    await direct.create(resources.configMaps, configMap('leaving'), never);
    proxy.fail({ kind: 'resetAnswer' });
    const key = { namespace, name: 'leaving' };
    expect(await client.delete(resources.configMaps, key, {}, never)).toBe('gone');
    proxy.fail({ kind: 'resetAnswer' });
    const applied = configMap('applied', { a: '1' });
    const answer = await client.apply(resources.configMaps, applied, { fieldManager: 'test' }, never);
    expect(answer.data).toEqual({ a: '1' });
  });
});

describe('list', () => {
  test('begins anew when a page has expired, and at the third time asks for all at once', async () => {
    await Promise.all(
      Array.from(
        { length: 25 },
        async (_, index) => await direct.create(resources.configMaps, configMap(`l-${index}`), never),
      ),
    );
    const whole = await direct.list(resources.configMaps, { namespace }, never);
    const gone = { kind: 'answer', status: 410, body: '{"kind":"Status","reason":"Expired","code":410}' } as const;
    const pass = { kind: 'prepend', text: '' } as const;
    proxy.fail(pass, gone, pass, pass, gone);
    const list = await client.list(resources.configMaps, { namespace, pageSize: 10 }, never);
    expect(list.items).toEqual(whole.items);
    expect(seen().map((line) => [line.includes('limit='), line.includes('continue=')])).toEqual([
      [true, false],
      [true, true],
      [true, false],
      [true, true],
      [true, true],
      [false, false],
    ]);
  });
});

describe('watch', () => {
  async function watchOnce(): Promise<unknown> {
    const events = client.watch(resources.namespaces, { sendInitialEvents: true, timeoutSeconds: 1 }, never);
    const names: (string | undefined)[] = [];
    try {
      for await (const { object } of events) names.push(object.metadata.name);
      return names;
    } catch (error) {
      return { error, names };
    }
  }

  test('passes whole through the proxy', async () => {
    expect(await watchOnce()).toEqual(expect.arrayContaining(['default', 'kube-system']));
  });

  test('cut within a line is an error, by reset and by a clean end alike', async () => {
    proxy.fail({ kind: 'cut', afterBytes: 1500, by: 'reset' });
    expect(await watchOnce()).toMatchObject({ error: { code: 'UNAVAILABLE' } });
    proxy.fail({ kind: 'cut', afterBytes: 1500, by: 'end' });
    expect(await watchOnce()).toMatchObject({
      error: { code: 'UNAVAILABLE', message: expect.stringContaining('within a line') as string },
      names: expect.arrayContaining(['default']) as string[],
    });
  });

  test('a line that is no event is an error, and is not quoted', async () => {
    proxy.fail({ kind: 'prepend', text: '{"type":"ADDED","object":{"data":hunter2}}\n' });
    const outcome = await watchOnce();
    expect(outcome).toMatchObject({ error: { code: 'UNAVAILABLE' }, names: [] });
    expect(JSON.stringify(outcome)).not.toContain('hunter2');
    proxy.fail({ kind: 'prepend', text: '{"type":"SOMETHING","object":{}}\n' });
    expect(await watchOnce()).toMatchObject({ error: { code: 'UNAVAILABLE' } });
  });

  test('an ERROR event is the error that it says', async () => {
    const status = { kind: 'Status', status: 'Failure', reason: 'Expired', code: 410, message: 'too old' };
    proxy.fail({ kind: 'prepend', text: `${JSON.stringify({ type: 'ERROR', object: status })}\n` });
    expect(await watchOnce()).toMatchObject({ error: { code: 'EXPIRED', status: 410, reason: 'Expired' } });
    const failing = { ...status, reason: 'InternalError', code: 500 };
    proxy.fail({ kind: 'prepend', text: `${JSON.stringify({ type: 'ERROR', object: failing })}\n` });
    expect(await watchOnce()).toMatchObject({ error: { code: 'UNAVAILABLE', status: 500 } });
  });

  test('a refused watch is the error of the refusal', async () => {
    proxy.fail(down);
    expect(await watchOnce()).toMatchObject({ error: { code: 'UNAVAILABLE', status: 503 }, names: [] });
    expect(seen()).toHaveLength(1);
  });
});

describe('abort', () => {
  test.each([
    ['while no answer comes', [{ kind: 'hang' }]],
    ['in the pause before another try', [{ kind: 'answer', status: 429, headers: { 'retry-after': '10' } }]],
  ] as const)('is prompt %s', async (_name, faults) => {
    proxy.fail(...faults);
    const stop = new AbortController();
    const outcome = client.list(resources.namespaces, {}, stop.signal).catch((error: unknown) => error);
    await sleep(200);
    const abortedMs = performance.now();
    stop.abort();
    expect(await outcome).toMatchObject({ code: 'ABORTED', retry: 'silent' });
    expect(performance.now() - abortedMs).toBeLessThan(200);
  });

  test('by disposal ends what runs', async () => {
    const other = createKubeClient(proxy.config);
    proxy.fail({ kind: 'hang' });
    const outcome = other.get(resources.namespaces, { name: 'default' }, never).catch((error: unknown) => error);
    await sleep(100);
    await other[Symbol.asyncDispose]();
    expect(await outcome).toMatchObject({ code: 'ABORTED' });
  });

  test('no answer in time is TIMEOUT', async () => {
    proxy.fail({ kind: 'hang' });
    const { outcome, ms } = await timed(client.raw({ method: 'GET', path: '/readyz', timeoutMs: 700 }, never));
    expect(outcome).toMatchObject({ code: 'TIMEOUT' });
    expect(ms).toBeLessThan(3000);
  });
});

describe('a server that is killed and comes back', () => {
  test('holds reads up, no more', async () => {
    await server.kill();
    const reading = direct.get(resources.namespaces, { name: 'default' }, never);
    await server.restart();
    expect((await reading)?.metadata.name).toBe('default');
  });

  test('expires the pages of a list when etcd was compacted meanwhile, and the list begins anew', async () => {
    const path = `/api/v1/namespaces/${namespace}/configmaps?limit=10`;
    const { body } = await direct.raw({ method: 'GET', path }, never);
    const token = (JSON.parse(body) as { metadata: { continue: string } }).metadata.continue;
    await direct.create(resources.configMaps, configMap('meanwhile'), never);
    await server.compact();
    await server.kill();
    await server.restart();
    const next = await direct.raw({ method: 'GET', path: `${path}&continue=${encodeURIComponent(token)}` }, never);
    expect(next.status).toBe(410);
    const list = await direct.list(resources.configMaps, { namespace, pageSize: 10 }, never);
    expect(list.items.map(({ metadata }) => metadata.name)).toContain('meanwhile');
  });
});
