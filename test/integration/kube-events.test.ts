import { afterAll, beforeAll, expect, test } from 'vitest';
import { createKubeClient, type KubeClient, recordEvent, resources } from '#kube';
import { type ApiServerFixture, startApiServer } from '../fixtures/api-server.ts';
import { kubectl } from '../fixtures/kubectl.ts';

const never = new AbortController().signal;
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

const said = {
  type: 'Warning',
  reason: 'StorageClassMissing',
  action: 'CreatingEtcd',
  reportingController: 'controlplane.cluster.x-k8s.io/manager',
} as const;

test('the same words about the same object are one event that counts up; kubectl describe shows it', async () => {
  const metadata = { namespace: 'default', name: 'subject' };
  const object = await client.create(resources.configMaps, { metadata }, never);
  const record = { ...said, object, note: 'there is no StorageClass "fast"' };
  for (let count = 0; count < 3; count++) expect(await recordEvent(client, record, never)).toBe('recorded');
  await recordEvent(client, { ...record, note: 'other words' }, never);
  const { items } = await client.list(resources.events, { namespace: 'default' }, never);
  const about = items.filter(({ metadata: { name } }) => name?.startsWith('subject.') === true);
  expect(about.map((event) => [event.note, (event as { series?: { count: number } }).series?.count])).toEqual(
    expect.arrayContaining([
      [record.note, 3],
      ['other words', undefined],
    ]),
  );
  expect(about).toHaveLength(2);
  const described = await kubectl(server.kubeconfigFile, ['describe', 'configmap', 'subject']);
  expect(described).toContain('StorageClassMissing');
});

test('a cluster-scoped object has its events in default', async () => {
  const object = await client.get(resources.namespaces, { name: 'kube-system' }, never);
  if (object === undefined) throw new Error('no kube-system');
  expect(await recordEvent(client, { ...said, object, note: 'x'.repeat(5000) }, never)).toBe('recorded');
});

test('an event that cannot be written is dropped without an error', async () => {
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: 'absent', name: 'x', uid: '1' } };
  expect(await recordEvent(client, { ...said, object, note: 'n' }, never)).toBe('dropped');
});
