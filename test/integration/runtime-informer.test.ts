import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ConfigMap, createKubeClient, type KubeClient, resources } from '#kube';
import { createInformer } from '#runtime';
import type { ApiServerFixture } from '../fixtures/api-server.ts';
import { startInformer, stateOf } from '../fixtures/running-informer.ts';
import { startRelayedServer, type RelayedServer } from '../fixtures/relayed-server.ts';
import type { TcpRelay } from '../fixtures/tcp-relay.ts';

const never = new AbortController().signal;
const { configMaps } = resources;
let relayed: RelayedServer;
let server: ApiServerFixture;
let relay: TcpRelay;
/** Through the relay, and past it. */
let client: KubeClient;
let direct: KubeClient;
let namespace = '';
let count = 0;

beforeAll(async () => {
  relayed = await startRelayedServer();
  ({ server, relay, client, direct } = relayed);
});

afterAll(async () => {
  await relayed[Symbol.asyncDispose]();
});

beforeEach(async () => {
  namespace = `informer-${++count}`;
  await direct.create(resources.namespaces, { metadata: { name: namespace } }, never);
});

async function create(name: string, metadata: Partial<ConfigMap['metadata']> = {}): Promise<ConfigMap> {
  return await direct.create(configMaps, { metadata: { namespace, name, ...metadata }, data: { round: '1' } }, never);
}

async function change(name: string): Promise<void> {
  const target = { type: configMaps, key: { namespace, name } };
  await direct.mergePatch(target, { data: { round: String(Math.random()) } }, {}, never);
}

async function remove(name: string): Promise<void> {
  await direct.delete(configMaps, { namespace, name }, {}, never);
}

async function truth(): Promise<readonly string[]> {
  return stateOf((await direct.list(configMaps, { namespace }, never)).items);
}

describe('an informer', () => {
  test('reads what is there, follows what changes, and keeps objects whole but for managedFields', async () => {
    await create('before');
    await using running = await startInformer(client, configMaps, { namespace });
    await create('after');
    await change('before');
    await remove('after');
    const told = ['added', 'added', 'updated', 'deleted'];
    await expect.poll(() => running.told.map((line) => line.split(' ')[0])).toEqual(told);
    const held = running.informer.get({ namespace, name: 'before' });
    expect(held).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap', data: { round: expect.any(String) } });
    expect(JSON.stringify(held)).not.toContain('managedFields');
    expect(running.holds()).toEqual(await truth());
  });

  test('prunes as it is told, and finds by owner', async () => {
    const owner = await create('owner');
    const { uid = '' } = owner.metadata;
    const reference = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid };
    await create('owned', { ownerReferences: [reference] });
    const prune = ({ data: _data, ...rest }: ConfigMap): ConfigMap => rest;
    await using running = await startInformer(client, configMaps, { namespace, prune });
    expect(running.informer.byOwner(uid).map(({ metadata }) => metadata.name)).toEqual(['owned']);
    expect(running.informer.get({ namespace, name: 'owned' })).not.toHaveProperty('data');
  });

  test('goes on when the server closes the watch, without reading all anew or telling anything twice', async () => {
    await using running = await startInformer(client, configMaps, { namespace, timing: { watchSeconds: [1, 1] } });
    const told: string[] = [];
    for (let round = 0; round < 12; round++) {
      await create(`map-${round}`);
      told.push(`added ${namespace}/map-${round}`);
      await sleep(300);
    }
    await expect.poll(() => running.told, { timeout: 5000 }).toEqual(told);
    expect(await running.relists('start')).toBe(1);
    expect(await running.relists('expired')).toBe(0);
  });

  test('goes on after its connection was reset', async () => {
    await using running = await startInformer(client, configMaps, { namespace });
    relay.cut();
    await create('meanwhile');
    relay.mend();
    await expect.poll(() => running.told, { timeout: 10_000 }).toEqual([`added ${namespace}/meanwhile`]);
    expect(await running.relists('start')).toBe(1);
  });

  test('reads all anew when history is lost (410): tells what changed, another UID as deleted and added', async () => {
    for (const name of ['stays', 'changes', 'goes', 'renewed']) await create(name);
    await using running = await startInformer(client, configMaps, { namespace });
    const before = running.told.length;
    relay.cut();
    await change('changes');
    await remove('goes');
    await remove('renewed');
    await create('renewed');
    await create('comes');
    await server.compact();
    await server.restart();
    relay.mend();
    const told = ['deleted goes', 'updated changes', 'added comes', 'deleted renewed', 'added renewed'];
    await expect
      .poll(
        () =>
          running.told
            .slice(before)
            .map((line) => line.replace(`${namespace}/`, ''))
            .toSorted(),
        { timeout: 30_000 },
      )
      .toEqual(told.toSorted());
    const lines = running.told.map((line) => line.replace(`${namespace}/`, ''));
    expect(lines.indexOf('deleted renewed')).toBeLessThan(lines.lastIndexOf('added renewed'));
    expect(await running.relists('expired')).toBe(1);
    expect(running.holds()).toEqual(await truth());
  });

  test('tells a deletion and a creation in a gap that the watch can still tell of', async () => {
    await create('renewed');
    await using running = await startInformer(client, configMaps, { namespace });
    relay.cut();
    await remove('renewed');
    await create('renewed');
    relay.mend();
    const told = ['added', 'deleted', 'added'].map((kind) => `${kind} ${namespace}/renewed`);
    await expect.poll(() => running.told, { timeout: 10_000 }).toEqual(told);
  });

  test('survives that the server is killed and comes back', async () => {
    await create('before');
    await using running = await startInformer(client, configMaps, { namespace });
    await server.kill();
    await sleep(500);
    await server.restart();
    await create('after');
    await change('before');
    await expect.poll(() => running.told, { timeout: 30_000 }).toContain(`updated ${namespace}/before`);
    expect(running.holds()).toEqual(await truth());
    expect(running.told.filter((line) => line.startsWith('added'))).toHaveLength(2);
  });

  test('stops waiting for a server that is not there when told to', async () => {
    relay.cut();
    const informer = createInformer(client, configMaps, { namespace });
    const ending = new AbortController();
    const waiting = expect(informer.synced(ending.signal)).rejects.toThrow(/abort/);
    const running = informer.run(ending.signal);
    await sleep(200);
    ending.abort();
    await Promise.all([running, waiting]);
    expect(informer.isSynced).toBe(false);
    relay.mend();
  });

  test('waits for a server that is not there yet', async () => {
    relay.cut();
    const starting = startInformer(client, configMaps, { namespace });
    await create('a');
    relay.mend();
    await using running = await starting;
    expect(running.holds()).toEqual(await truth());
  });

  test('goes on with new credentials after its own have expired', async () => {
    let current = await server.configFor({ user: 'short', groups: ['system:masters'], ttlSeconds: 3 });
    await using shortLived = createKubeClient({ ...current, reload: async () => await Promise.resolve(current) });
    await using running = await startInformer(shortLived, configMaps, { namespace, timing: { watchSeconds: [1, 1] } });
    await sleep(5000);
    await create('meanwhile');
    current = await server.configFor({ user: 'long', groups: ['system:masters'] });
    await expect.poll(() => running.told, { timeout: 30_000 }).toEqual([`added ${namespace}/meanwhile`]);
  });

  test('lives on when a handler throws: others are told, and it is counted', async () => {
    await using running = await startInformer(client, configMaps, { namespace });
    const told: string[] = [];
    running.informer.onChange(() => {
      throw new TypeError('a bug in a handler');
    });
    running.informer.onChange(({ object }) => void told.push(object.metadata.name ?? ''));
    await create('a');
    await create('b');
    await expect.poll(() => told).toEqual(['a', 'b']);
    expect(await running.metrics.text()).toContain('capn_panics_total{where="handler"} 2');
  });
});
