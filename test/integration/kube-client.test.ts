import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type ConfigMap,
  createKubeClient,
  type Deployment,
  type KubeClient,
  parseJson,
  resources,
  type Secret,
} from '#kube';
import { type ApiServerFixture, startApiServer } from '../fixtures/api-server.ts';
import { type Widget, widgetCrd, widgets } from '../fixtures/widget-crd.ts';

const never = new AbortController().signal;
const namespace = 'default';
let server: ApiServerFixture;
let client: KubeClient;

beforeAll(async () => {
  server = await startApiServer();
  await server.installCrds([widgetCrd]);
  client = createKubeClient(server.config);
});

afterAll(async () => {
  await client[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

function configMap(name: string, data: Record<string, string> = {}): ConfigMap {
  return { metadata: { namespace, name }, data };
}

describe('verbs', () => {
  test('create fills in the type, get gives the same object, and undefined when it is not there', async () => {
    const created = await client.create(resources.configMaps, configMap('made', { a: '1' }), never);
    expect(created).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap', data: { a: '1' } });
    expect(await client.get(resources.configMaps, { namespace, name: 'made' }, never)).toEqual(created);
    expect(await client.get(resources.configMaps, { namespace, name: 'absent' }, never)).toBeUndefined();
  });

  test('generateName lets the server choose', async () => {
    const object: ConfigMap = { metadata: { namespace, generateName: 'some-' } };
    expect((await client.create(resources.configMaps, object, never)).metadata.name).toMatch(/^some-\w+$/);
  });

  test('replace writes with the resourceVersion read, and is refused with a stale one', async () => {
    const before = await client.create(resources.configMaps, configMap('replaced', { a: '1' }), never);
    const after = await client.replace(resources.configMaps, { ...before, data: { b: '2' } }, never);
    expect(after.data).toEqual({ b: '2' });
    await expect(client.replace(resources.configMaps, before, never)).rejects.toMatchObject({
      code: 'CONFLICT',
      status: 409,
    });
  });

  test('apply creates, changes and removes the fields it owns; dryRun writes nothing', async () => {
    const options = { fieldManager: 'test' };
    await client.apply(resources.configMaps, configMap('applied', { a: '1', b: '2' }), options, never);
    const dry = await client.apply(
      resources.configMaps,
      configMap('applied', { a: '3' }),
      { ...options, dryRun: true },
      never,
    );
    expect(dry.data).toEqual({ a: '3' });
    const changed = await client.apply(resources.configMaps, configMap('applied', { b: '2' }), options, never);
    expect(changed.data).toEqual({ b: '2' });
  });

  test('apply without force does not take fields over', async () => {
    await client.apply(resources.configMaps, configMap('contested', { a: '1' }), { fieldManager: 'one' }, never);
    const second = configMap('contested', { a: '2' });
    const polite = client.apply(resources.configMaps, second, { fieldManager: 'two', force: false }, never);
    await expect(polite).rejects.toMatchObject({ code: 'CONFLICT', reason: 'Conflict' });
    const taken = await client.apply(resources.configMaps, second, { fieldManager: 'two' }, never);
    expect(taken.data).toEqual({ a: '2' });
  });

  test('mergePatch changes what it names, and honours preconditions', async () => {
    const before = await client.create(resources.configMaps, configMap('patched', { a: '1', b: '2' }), never);
    const target = { type: resources.configMaps, key: { namespace, name: 'patched' } };
    const after = await client.mergePatch(target, { data: { a: null, c: '3' } }, { fieldManager: 'test' }, never);
    expect(after.data).toEqual({ b: '2', c: '3' });
    const stale = { metadata: { resourceVersion: before.metadata.resourceVersion }, data: { d: '4' } };
    await expect(client.mergePatch(target, stale, {}, never)).rejects.toMatchObject({ code: 'CONFLICT' });
    const other = { metadata: { uid: 'cafe' }, data: { d: '4' } };
    await expect(client.mergePatch(target, other, {}, never)).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  test('a subresource is written by itself', async () => {
    await client.create(widgets, { metadata: { namespace, name: 'sub' }, spec: { size: 1 } }, never);
    const target = { type: widgets, key: { namespace, name: 'sub' } };
    const patch = { spec: { size: 2 }, status: { ready: true } };
    const after = await client.mergePatch(target, patch, { subresource: 'status' }, never);
    expect(after).toMatchObject({ spec: { size: 1 }, status: { ready: true } });
  });

  test('delete says whether anything was there, and does not touch another UID', async () => {
    const { metadata } = await client.create(resources.configMaps, configMap('deleted'), never);
    const key = { namespace, name: 'deleted' };
    const wrong = client.delete(resources.configMaps, key, { uid: 'cafe' }, never);
    await expect(wrong).rejects.toMatchObject({ code: 'CONFLICT' });
    const options = { uid: metadata.uid ?? '', propagation: 'Background', gracePeriodSeconds: 0 } as const;
    expect(await client.delete(resources.configMaps, key, options, never)).toBe('accepted');
    expect(await client.delete(resources.configMaps, key, {}, never)).toBe('gone');
  });

  test('raw answers with any status', async () => {
    expect(await client.raw({ method: 'GET', path: '/readyz' }, never)).toEqual({ status: 200, body: 'ok' });
    expect((await client.raw({ method: 'GET', path: '/nothing/here' }, never)).status).toBe(404);
    const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
    const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
    const answer = await client.raw({ method: 'POST', path, body: review }, never);
    expect(parseJson(answer.body)).toMatchObject({ status: { userInfo: { username: 'admin' } } });
  });

  test('cluster-scoped objects need no namespace', async () => {
    const created = await client.create(resources.namespaces, { metadata: { name: 'other' } }, never);
    expect(created.metadata.uid).toBeDefined();
    expect(await client.get(resources.namespaces, { name: 'other' }, never)).toEqual(created);
  });
});

describe('what objects go through', () => {
  test('fields that nobody knows survive read, replace and merge patch', async () => {
    const spec = { known: 1, deep: [{ unknown: { 'x-kubernetes-y': [null, 'é\u2028'] } }], $ref: 'a', default: {} };
    const created = await client.create(widgets, { metadata: { namespace, name: 'odd' }, spec }, never);
    expect(created.spec).toEqual(spec);
    const labelled = { ...created, metadata: { ...created.metadata, labels: { a: 'b' } } };
    expect((await client.replace(widgets, labelled, never)).spec).toEqual(spec);
  });

  test('integers above 2^53 survive create, get, list and replace', async () => {
    const spec = parseJson('{"big": 9007199254740993, "least": -9223372036854775808}') as Widget['spec'];
    await client.create(widgets, { metadata: { namespace, name: 'big' }, spec: spec ?? {} }, never);
    const read = await client.get(widgets, { namespace, name: 'big' }, never);
    await client.replace(widgets, { ...(read as Widget), spec: { ...read?.spec, more: 1 } }, never);
    const list = await client.list(widgets, { namespace, fieldSelector: 'metadata.name=big' }, never);
    const text = JSON.stringify(list.items[0]?.spec);
    expect(text).toContain('"big":9007199254740993');
    expect(text).toContain('"least":-9223372036854775808');
    expect(text).toContain('"more":1');
  });
});

describe('errors', () => {
  test('each refusal has its code, and says what was tried', async () => {
    await client.create(resources.configMaps, configMap('there'), never);
    await expect(client.create(resources.configMaps, configMap('there'), never)).rejects.toMatchObject({
      code: 'ALREADY_EXISTS',
      status: 409,
      message: expect.stringContaining('CREATE configmaps default/there: 409') as string,
    });
    await expect(client.create(resources.configMaps, configMap('Not_a_name'), never)).rejects.toMatchObject({
      code: 'INVALID',
      status: 422,
      causes: [{ field: 'metadata.name', reason: 'FieldValueInvalid' }],
    });
    const absent = { ...configMap('absent'), metadata: { namespace, name: 'absent', resourceVersion: '1' } };
    await expect(client.replace(resources.configMaps, absent, never)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const patch = client.mergePatch({ type: resources.configMaps, key: { namespace, name: 'absent' } }, {}, {}, never);
    await expect(patch).rejects.toMatchObject({ code: 'NOT_FOUND', status: 404, reason: 'NotFound' });
  });

  test('a field that nobody knows, applied, is INVALID although the server answers 500', async () => {
    const labels = { app: 'typo' };
    const typo = {
      affinity: { nodeAfinity: {} },
      containers: [{ name: 'main', image: 'registry.k8s.io/pause:3.10' }],
    };
    const spec = { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: typo } };
    const object = { metadata: { namespace, name: 'typo' }, spec } as unknown as Deployment;
    await expect(client.apply(resources.deployments, object, { fieldManager: 'test' }, never)).rejects.toMatchObject({
      code: 'INVALID',
      status: 500,
      message: expect.stringContaining('nodeAfinity: field not declared in schema') as string,
    });
  });

  test('403 is FORBIDDEN', async () => {
    await using stranger = createKubeClient(await server.configFor({ user: 'stranger' }));
    const listing = stranger.list(resources.secrets, { namespace }, never);
    await expect(listing).rejects.toMatchObject({ code: 'FORBIDDEN', status: 403 });
  });

  test('too large an object is INVALID', async () => {
    const object = configMap('large', { a: 'x'.repeat(4 * 1024 * 1024) });
    await expect(client.create(resources.configMaps, object, never)).rejects.toMatchObject({ code: 'INVALID' });
  });

  test('the message about a refused Secret quotes nothing of it', async () => {
    const secret = {
      metadata: { namespace, name: 'x' },
      data: { 'bad key': 'aHVudGVyMg==', 'other!': '***hunter2***' },
    };
    const error = await client.create(resources.secrets, secret as unknown as Secret, never).catch((e: unknown) => e);
    expect(error).toMatchObject({ code: 'INVALID' });
    expect(JSON.stringify([String(error), error])).not.toMatch(/hunter2|aHVudGVyMg/);
  });

  test.each(['..', '.', '', 'a/b', 'a%2Fb'])('the name %j cannot change the path', async (name) => {
    const removal = client.delete(resources.configMaps, { namespace, name }, {}, never);
    await expect(removal).rejects.toMatchObject({ code: 'INVALID', status: undefined });
  });

  test('a namespaced object without namespace is INVALID', async () => {
    await expect(client.get(resources.configMaps, { name: 'x' }, never)).rejects.toMatchObject({ code: 'INVALID' });
  });
});

describe('list', () => {
  test('selects by namespace, label and field', async () => {
    const object = configMap('labelled');
    await client.create(
      resources.configMaps,
      { ...object, metadata: { ...object.metadata, labels: { team: 'a' } } },
      never,
    );
    const byLabel = await client.list(resources.configMaps, { labelSelector: 'team in (a, b)' }, never);
    expect(byLabel.items.map((item) => item.metadata.name)).toEqual(['labelled']);
    const byField = await client.list(resources.configMaps, { fieldSelector: 'metadata.name=labelled' }, never);
    expect(byField.items).toHaveLength(1);
    const elsewhere = await client.list(
      resources.configMaps,
      { namespace: 'kube-public', labelSelector: 'team' },
      never,
    );
    expect(elsewhere).toMatchObject({ items: [], resourceVersion: expect.stringMatching(/^\d+$/) as string });
  });

  test('items look as get gives them', async () => {
    const list = await client.list(resources.namespaces, {}, never);
    const one = list.items.find((item) => item.metadata.name === 'default');
    expect(one).toEqual(await client.get(resources.namespaces, { name: 'default' }, never));
  });

  test('in pages while objects change: each object that stays comes exactly once', async () => {
    const labels = { paged: 'yes' };
    const names = Array.from({ length: 60 }, (_, index) => `paged-${String(index).padStart(3, '0')}`);
    const make = async (name: string) =>
      await client.create(resources.configMaps, { metadata: { namespace, name, labels } }, never);
    await Promise.all(names.map(make));
    const stop = new AbortController();
    const churn = (async () => {
      for (let count = 0; !stop.signal.aborted; count++) {
        await make(`paged-extra-${count}`);
        await client.delete(resources.configMaps, { namespace, name: `paged-extra-${count}` }, {}, never);
      }
    })();
    const lists = [];
    for (let count = 0; count < 5; count++) {
      lists.push(await client.list(resources.configMaps, { labelSelector: 'paged', pageSize: 10 }, never));
    }
    stop.abort();
    await churn;
    for (const { items } of lists) {
      const staying = items.map((item) => item.metadata.name ?? '').filter((name) => !name.includes('extra'));
      expect(staying).toEqual(names);
    }
  });
});
