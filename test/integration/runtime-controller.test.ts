import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createLogger, createMetrics, type Metrics } from '#observe';
import { type ConfigMap, createKubeClient, type KubeClient, type KubeObject, type ObjectKey, resources } from '#kube';
import {
  again,
  type ControllerDefinition,
  createController,
  createInformer,
  done,
  type Informer,
  type ReconcileContext,
  type ReconcileResult,
} from '#runtime';
import { type ApiServerFixture, startApiServer } from '../fixtures/api-server.ts';

const never = new AbortController().signal;
const { configMaps, secrets } = resources;
const logger = createLogger({ name: 'test', level: process.env['TEST_LOG_LEVEL'] ?? 'silent', pretty: false });
let server: ApiServerFixture;
let client: KubeClient;
let namespace = '';
let count = 0;
let metrics: Metrics;
let ending: AbortController;
let running: Promise<unknown>;
let informer: Informer<ConfigMap>;
/** Keys in the order that they were reconciled. */
let reconciled: string[];

beforeAll(async () => {
  server = await startApiServer();
  client = createKubeClient(server.config);
});

afterAll(async () => {
  await client[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

beforeEach(async () => {
  namespace = `controller-${++count}`;
  await client.create(resources.namespaces, { metadata: { name: namespace } }, never);
  metrics = createMetrics();
  ending = new AbortController();
  informer = createInformer(client, configMaps, { namespace, labelSelector: 'reconciled=yes' }, { logger, metrics });
  reconciled = [];
});

afterEach(async () => {
  ending.abort();
  await running;
});

/** Runs a controller of ConfigMaps until the test ends, or until `ending` is aborted. */
async function start(
  reconcile: (key: ObjectKey, context: ReconcileContext) => Promise<ReconcileResult>,
  more: Partial<ControllerDefinition<ConfigMap>> & { readonly informers?: readonly Informer<KubeObject>[] } = {},
): Promise<void> {
  const { informers = [], ...definition } = more;
  const noted = async (key: ObjectKey, context: ReconcileContext): Promise<ReconcileResult> => {
    reconciled.push(key.name);
    return await reconcile(key, context);
  };
  const controller = createController(
    { name: 'test', for: informer, ...definition, reconcile: noted },
    { logger, metrics },
  );
  const all = [informer, ...informers];
  const runs = all.map(async (each) => await each.run(ending.signal));
  await Promise.all(all.map(async (each) => await each.synced(AbortSignal.timeout(20_000))));
  running = Promise.allSettled([controller.run(ending.signal), ...runs]);
}

async function create(name: string): Promise<ConfigMap> {
  return await client.create(configMaps, { metadata: { namespace, name, labels: { reconciled: 'yes' } } }, never);
}

async function update(name: string, data: Record<string, string>): Promise<ConfigMap> {
  return await client.mergePatch({ type: configMaps, key: { namespace, name } }, { data }, {}, never);
}

async function results(result: string): Promise<number> {
  return (await metrics.reconciles.get()).values.find(({ labels }) => labels.result === result)?.value ?? 0;
}

const doNothing = async (): Promise<ReconcileResult> => await Promise.resolve(done());

describe('a controller', () => {
  test('reconciles what is there, what changes and what goes', async () => {
    await create('there');
    const seen: (string | undefined)[] = [];
    await start(async (key) => {
      seen.push(informer.get(key)?.data?.['round']);
      return await doNothing();
    });
    await expect.poll(() => reconciled).toEqual(['there']);
    await update('there', { round: '2' });
    await expect.poll(() => seen).toEqual([undefined, '2']);
    await client.delete(configMaps, { namespace, name: 'there' }, {}, never);
    await expect.poll(() => reconciled).toHaveLength(3);
    expect(informer.get({ namespace, name: 'there' })).toBeUndefined();
  });

  test('wakes the owner when what it made changes, and whom a mapping names', async () => {
    const owned = createInformer(client, secrets, { namespace }, { logger });
    const other = createInformer(client, resources.services, { namespace }, { logger });
    const map = () => [{ namespace, name: 'mapped' }];
    const more = { owns: [owned], watches: [{ informer: other, map }] };
    await start(doNothing, { ...more, informers: [owned, other] });
    const { uid = '' } = (await create('owner')).metadata;
    await expect.poll(() => reconciled).toEqual(['owner']);
    const reference = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid, controller: true };
    await client.create(secrets, { metadata: { namespace, name: 'child', ownerReferences: [reference] } }, never);
    await expect.poll(() => reconciled).toEqual(['owner', 'owner']);
    const service = { metadata: { namespace, name: 'any' }, spec: { ports: [{ port: 80 }] } };
    await client.create(resources.services, service, never);
    await expect.poll(() => reconciled).toEqual(['owner', 'owner', 'mapped']);
  });

  test('looks again when asked to, and resyncs what nobody asks for', async () => {
    let rounds = 0;
    await start(async () => await Promise.resolve(++rounds < 3 ? again(50) : done()), { resyncMs: 1500 });
    await create('a');
    await expect.poll(() => reconciled.length, { interval: 20 }).toBe(3);
    await expect.poll(() => reconciled.length, { timeout: 10_000 }).toBeGreaterThan(3);
  });

  test('tries again soon after a lost race', async () => {
    const stale = await create('raced');
    await update('raced', { by: 'somebody' });
    let base = stale;
    await start(async (key, { signal }) => {
      const mine = { ...base, data: { by: 'us' } };
      base = (await client.get(configMaps, key, signal)) ?? base;
      await client.replace(configMaps, mine, signal);
      return done();
    });
    const current = async () => (await client.get(configMaps, { namespace, name: 'raced' }, never))?.data?.['by'];
    await expect.poll(current).toBe('us');
    expect(await results('soon')).toBeGreaterThan(0);
    expect(await results('panic')).toBe(0);
  });

  test('does not ask again what the server refuses for good, until something changes', async () => {
    await create('refused');
    await start(async (key, { signal }) => {
      const name = informer.get(key)?.data?.['name'] ?? 'Not A Name';
      await client.create(configMaps, { metadata: { namespace, name } }, signal);
      return done();
    });
    await expect.poll(async () => await results('onChange')).toBe(1);
    await sleep(1000);
    expect(reconciled).toHaveLength(1);
    await update('refused', { name: 'a-name' });
    await expect.poll(async () => await results('done')).toBe(1);
  });

  test('lives on after a bug: counts it, tries again, and reconciles the others meanwhile', async () => {
    let failures = 0;
    await start(async ({ name }) => {
      if (name === 'buggy' && ++failures < 4) throw new TypeError('a bug of ours');
      return await doNothing();
    });
    await create('buggy');
    await create('fine');
    await expect.poll(async () => await results('done'), { timeout: 10_000 }).toBe(2);
    expect(await results('panic')).toBe(3);
    expect(await metrics.text()).toContain('capn_panics_total{where="reconcile"} 3');
    expect(reconciled).toContain('fine');
  });

  test('backs off while the server is away, and goes on when it is back', async () => {
    await start(async (key, { signal }) => {
      await client.mergePatch({ type: configMaps, key }, { data: { seen: 'yes' } }, {}, signal);
      return done();
    });
    await create('before');
    await expect.poll(async () => await results('done')).toBeGreaterThan(0);
    await server.kill();
    await server.restart();
    await create('after');
    const seen = async () => (await client.get(configMaps, { namespace, name: 'after' }, never))?.data?.['seen'];
    await expect.poll(seen, { timeout: 30_000 }).toBe('yes');
  });

  test('ends quickly with work in flight, and leaves no key running', async () => {
    let ended = 0;
    await start(
      async (_key, { signal }) => {
        try {
          await sleep(60_000, undefined, { signal });
        } finally {
          ended++;
        }
        return done();
      },
      { concurrency: 2 },
    );
    await Promise.all(['a', 'b', 'c'].map(async (name) => await create(name)));
    await expect.poll(() => reconciled).toHaveLength(2);
    const startedMs = performance.now();
    ending.abort();
    await running;
    expect(performance.now() - startedMs).toBeLessThan(5000);
    expect(ended).toBe(2);
    expect(await results('silent')).toBe(2);
    expect(await results('panic')).toBe(0);
  });
});
