import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ConfigMap, createKubeClient, type KubeClient, resources, type WatchEvent } from '#kube';
import { type ApiServerFixture, startApiServer } from '../fixtures/api-server.ts';

const never = new AbortController().signal;
const namespace = 'default';
let server: ApiServerFixture;
let client: KubeClient;

beforeAll(async () => {
  server = await startApiServer();
  client = createKubeClient(server.config);
});

afterAll(async () => {
  await client[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

async function makeConfigMap(name: string): Promise<ConfigMap> {
  return await client.create(resources.configMaps, { metadata: { namespace, name }, data: { a: '1' } }, never);
}

/** The events of a watch, up to and including the first that `isLast`. */
async function collect(
  events: AsyncIterable<WatchEvent<ConfigMap>>,
  isLast: (event: WatchEvent<ConfigMap>) => boolean,
): Promise<WatchEvent<ConfigMap>[]> {
  const seen: WatchEvent<ConfigMap>[] = [];
  for await (const event of events) {
    seen.push(event);
    if (isLast(event)) return seen;
  }
  return seen;
}

describe('watch', () => {
  test('tells what happens after the resourceVersion it begins at', async () => {
    const { resourceVersion } = await client.list(resources.configMaps, { namespace }, never);
    const fieldSelector = 'metadata.name=told';
    const watching = collect(
      client.watch(resources.configMaps, { namespace, resourceVersion, fieldSelector }, never),
      ({ type }) => type === 'DELETED',
    );
    const made = await makeConfigMap('told');
    const key = { namespace, name: 'told' };
    const patched = await client.mergePatch({ type: resources.configMaps, key }, { data: { a: '2' } }, {}, never);
    await client.delete(resources.configMaps, key, {}, never);
    const events = await watching;
    expect(events.map(({ type }) => type)).toEqual(['ADDED', 'MODIFIED', 'DELETED']);
    expect(events.map(({ object }) => object).slice(0, 2)).toEqual([made, patched]);
  });

  test('with sendInitialEvents gives the present state, then a bookmark that says so', async () => {
    const made = await makeConfigMap('initial');
    const isMarked = ({ object }: WatchEvent<ConfigMap>): boolean =>
      object.metadata.annotations?.['k8s.io/initial-events-end'] === 'true';
    const events = await collect(
      client.watch(resources.configMaps, { namespace, sendInitialEvents: true }, never),
      isMarked,
    );
    expect(events.at(-1)).toMatchObject({ type: 'BOOKMARK', object: { kind: 'ConfigMap' } });
    expect(events).toContainEqual({ type: 'ADDED', object: made });
  });

  test('ends without error when the server closes it', async () => {
    const { resourceVersion } = await client.list(resources.configMaps, { namespace }, never);
    const options = { namespace, resourceVersion, timeoutSeconds: 1 };
    const startedMs = performance.now();
    const events = await collect(client.watch(resources.configMaps, options, never), () => false);
    expect(events.filter(({ type }) => type !== 'BOOKMARK')).toEqual([]);
    expect(performance.now() - startedMs).toBeGreaterThan(900);
  });

  test('ends at once as ABORTED when the signal fires, before it opens and while it is idle', async () => {
    const aborted = client.watch(resources.configMaps, { namespace }, AbortSignal.abort());
    await expect(collect(aborted, () => false)).rejects.toMatchObject({ code: 'ABORTED' });
    const { resourceVersion } = await client.list(resources.configMaps, { namespace }, never);
    const stop = new AbortController();
    const watching = collect(client.watch(resources.configMaps, { resourceVersion }, stop.signal), () => false);
    const outcome = watching.catch((error: unknown) => error);
    await sleep(300);
    const abortedMs = performance.now();
    stop.abort();
    expect(await outcome).toMatchObject({ code: 'ABORTED' });
    expect(performance.now() - abortedMs).toBeLessThan(200);
  });

  test('is closed on the server when the loop is left', async () => {
    await makeConfigMap('left');
    const before = await watchesOpen();
    for (let count = 0; count < 5; count++) {
      await collect(client.watch(resources.configMaps, { namespace, sendInitialEvents: true }, never), () => true);
    }
    await expect.poll(watchesOpen, { timeout: 5000 }).toBeLessThanOrEqual(before);
  });

  test('that is read slowly loses nothing and does not hold other requests up', async () => {
    const { resourceVersion } = await client.list(resources.configMaps, { namespace }, never);
    const options = { namespace, resourceVersion, labelSelector: 'slow' };
    const watching = client.watch(resources.configMaps, options, never);
    const events = watching[Symbol.asyncIterator]();
    const data = { text: 'x'.repeat(500_000) };
    const names = Array.from({ length: 12 }, (_, index) => `slow-${index}`);
    const first = events.next();
    for (const name of names) {
      await client.create(resources.configMaps, { metadata: { namespace, name, labels: { slow: 'y' } }, data }, never);
    }
    const startedMs = performance.now();
    await client.get(resources.configMaps, { namespace, name: 'slow-11' }, never);
    expect(performance.now() - startedMs).toBeLessThan(2000);
    const seen = [await first];
    while (seen.length < names.length) seen.push(await events.next());
    expect(seen.map(({ value }) => (value as WatchEvent<ConfigMap>).object.metadata.name)).toEqual(names);
    await events.return?.();
  });

  test('from a resourceVersion that was compacted away is EXPIRED', async () => {
    const { resourceVersion } = await client.list(resources.configMaps, { namespace }, never);
    for (let count = 0; count < 5; count++) await makeConfigMap(`compacted-${count}`);
    await server.compact();
    await server.kill();
    await server.restart();
    const old = client.watch(resources.configMaps, { namespace, resourceVersion }, never);
    await expect(collect(old, () => true)).rejects.toMatchObject({ code: 'EXPIRED', status: 410 });
  });

  test('breaks as UNAVAILABLE when the server is killed', async () => {
    const { resourceVersion } = await client.list(resources.configMaps, { namespace }, never);
    const outcome = collect(client.watch(resources.configMaps, { resourceVersion }, never), () => false).catch(
      (error: unknown) => error,
    );
    await sleep(300);
    await server.kill();
    expect(await outcome).toMatchObject({ code: 'UNAVAILABLE' });
    await server.restart();
  });

  test('a hundred and fifty at once share few connections', async () => {
    await using many = createKubeClient(server.config);
    const { resourceVersion } = await many.list(resources.configMaps, { namespace }, never);
    const stop = new AbortController();
    const watches = Array.from({ length: 150 }, async () => {
      const options = { namespace, resourceVersion, labelSelector: 'many' };
      return await collect(many.watch(resources.configMaps, options, stop.signal), () => true);
    });
    await sleep(500);
    expect(await connectionsTo(server.server)).toBeLessThan(8);
    const object = { metadata: { namespace, name: `many-${Date.now()}`, labels: { many: 'y' } } };
    await many.create(resources.configMaps, object, never);
    const all = await Promise.all(watches);
    expect(all.flat().map(({ object: { metadata } }) => metadata.name)).toEqual(Array(150).fill(object.metadata.name));
  });
});

/** Watches of ConfigMaps that the server counts as open. */
async function watchesOpen(): Promise<number> {
  const { body } = await client.raw({ method: 'GET', path: '/metrics' }, never);
  const line = body
    .split('\n')
    .find((text) => text.startsWith('apiserver_longrunning_requests{') && text.includes('resource="configmaps"'));
  return Number(line?.split(' ').at(-1) ?? 0);
}

/** TCP connections from this machine to the server's port, those of `client` included. */
async function connectionsTo(url: string): Promise<number> {
  const port = Number(new URL(url).port).toString(16).toUpperCase().padStart(4, '0');
  const lines = (await readFile('/proc/net/tcp', 'utf8')).split('\n').map((line) => line.trim().split(/\s+/));
  return lines.filter(([, , remote, state]) => remote === `0100007F:${port}` && state === '01').length;
}
