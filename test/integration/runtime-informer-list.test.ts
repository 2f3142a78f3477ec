import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ConfigMap, createKubeClient, type KubeClient, resources } from '#kube';
import { type ApiServerFixture, startApiServer } from '../fixtures/api-server.ts';
import { type FaultProxy, startFaultProxy } from '../fixtures/fault-proxy.ts';
import { startInformer, stateOf } from '../fixtures/running-informer.ts';

const never = new AbortController().signal;
const { configMaps } = resources;
const namespace = 'default';
/** What a server without WatchList answers to the first watch. */
const refusal = { kind: 'answer', status: 422, body: '{"kind":"Status","code":422,"reason":"Invalid"}' } as const;
const pass = { kind: 'prepend', text: '' } as const;
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
  // More than a page of 500.
  for (let from = 0; from < 600; from += 50) {
    await Promise.all(Array.from({ length: 50 }, async (_, at) => await create(`map-${1000 + from + at}`)));
  }
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

async function create(name: string): Promise<ConfigMap> {
  return await direct.create(configMaps, { metadata: { namespace, name } }, never);
}

function seen(part: string): number {
  return proxy.requests.slice(seenBefore).filter((request) => request.includes(part)).length;
}

async function truth(): Promise<readonly string[]> {
  return stateOf((await direct.list(configMaps, { namespace }, never)).items);
}

describe('an informer whose server refuses WatchList', () => {
  test('lists page by page instead, then watches', async () => {
    proxy.fail(refusal);
    await using running = await startInformer(client, configMaps, { namespace });
    expect(running.holds()).toEqual(await truth());
    expect(seen('continue=')).toBe(1);
    await create('later');
    await expect.poll(() => running.told).toContain('added default/later');
  });

  test('ends with the truth when the list changes between two pages', async () => {
    // Page 2 is asked for again after a second: time to change what both pages hold.
    proxy.fail(refusal, pass, { kind: 'answer', status: 503, headers: { 'retry-after': '1' } });
    const starting = startInformer(client, configMaps, { namespace });
    await expect.poll(() => seen('continue='), { timeout: 10_000, interval: 20 }).toBe(1);
    await direct.delete(configMaps, { namespace, name: 'map-1001' }, {}, never);
    await direct.delete(configMaps, { namespace, name: 'map-1599' }, {}, never);
    await create('map-0999');
    await create('map-1599');
    const target = { type: configMaps, key: { namespace, name: 'map-1002' } };
    await direct.mergePatch(target, { data: { changed: 'yes' } }, {}, never);
    await using running = await starting;
    const expected = await truth();
    await expect.poll(() => running.holds(), { timeout: 10_000 }).toEqual(expected);
  });

  test('lists anew when a page has expired (410)', async () => {
    proxy.fail(refusal, pass, { kind: 'answer', status: 410, body: '{"kind":"Status","code":410,"reason":"Expired"}' });
    await using running = await startInformer(client, configMaps, { namespace });
    expect(seen('continue=')).toBe(2);
    expect(running.holds()).toEqual(await truth());
  });
});

test('an informer of a real server without WatchList ends with the truth', async () => {
  await using older = await startApiServer({ flags: { 'feature-gates': 'WatchList=false' } });
  await using of = createKubeClient(older.config);
  await of.create(configMaps, { metadata: { namespace, name: 'there' } }, never);
  await using running = await startInformer(of, configMaps, { namespace });
  expect(running.told).toEqual(['added default/there']);
  await of.create(configMaps, { metadata: { namespace, name: 'later' } }, never);
  await expect.poll(() => running.told).toEqual(['added default/there', 'added default/later']);
});

describe('an informer whose first watch never says that it is complete', () => {
  test('lists instead', async () => {
    proxy.fail({ kind: 'hang' });
    await using running = await startInformer(client, configMaps, { namespace, timing: { firstSilenceMs: 500 } });
    expect(seen('limit=500')).toBeGreaterThan(0);
    expect(running.holds()).toEqual(await truth());
  });
});

describe('an informer whose watch goes silent', () => {
  test('dials again and misses nothing', async () => {
    const timing = { silenceMs: 1500, watchSeconds: [2, 2] } as const;
    await using running = await startInformer(client, configMaps, { namespace, timing });
    // The next requests: where the server's history is, and the next watch.
    proxy.fail(pass, { kind: 'hang' });
    await expect.poll(() => seen('watch=true&'), { timeout: 10_000, interval: 20 }).toBe(2);
    await create('in-the-silence');
    await expect.poll(() => running.told, { timeout: 10_000 }).toContain('added default/in-the-silence');
    expect(await running.relists('silent')).toBe(1);
  });
});

describe('an informer whose server goes back in history, as after a restore', () => {
  test('notices, and ends with what is there now', async () => {
    await using restored = await startApiServer();
    await using after = createKubeClient(restored.config);
    await after.create(configMaps, { metadata: { namespace, name: 'map-1000' } }, never);
    let current = direct;
    const switched = new Proxy(direct, { get: (_, name) => Reflect.get(current, name) as unknown });
    await using running = await startInformer(switched, configMaps, { namespace });
    expect(running.holds().length).toBeGreaterThan(500);
    current = after;
    await server.kill();
    const expected = stateOf((await after.list(configMaps, { namespace }, never)).items);
    await expect.poll(() => running.holds(), { timeout: 20_000 }).toEqual(expected);
    expect(await running.relists('backwards')).toBe(1);
  });
});
