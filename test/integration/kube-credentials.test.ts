import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createKubeClient, type KubeClient, loadClusterConfig, parseJson, resources } from '#kube';
import { type ApiServerFixture, startApiServer } from '../fixtures/api-server.ts';
import { kubeconfigText } from '../fixtures/kubeconfig-text.ts';

const never = new AbortController().signal;
let server: ApiServerFixture;
let directory: string;

beforeAll(async () => {
  server = await startApiServer();
  directory = await mkdtemp(join(tmpdir(), 'capn-credentials-'));
});

afterAll(async () => {
  await rm(directory, { recursive: true, force: true });
  await server[Symbol.asyncDispose]();
});

async function whoAmI(client: KubeClient): Promise<string> {
  const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
  const answer = await client.raw({ method: 'POST', path, body }, never);
  const review = parseJson(answer.body) as { status?: { userInfo?: { username?: string } } };
  return review.status?.userInfo?.username ?? String(answer.status);
}

test('a kubeconfig with an expired client certificate is read again when it is replaced', async () => {
  const kubeconfigPath = join(directory, 'rotated.kubeconfig');
  await writeFile(kubeconfigPath, kubeconfigText(await server.configFor({ user: 'old', ttlSeconds: -60 })));
  await using client = createKubeClient(await loadClusterConfig({ kubeconfigPath }));
  expect(await whoAmI(client)).toBe('401');
  await writeFile(kubeconfigPath, kubeconfigText(await server.configFor({ user: 'new' })));
  expect(await whoAmI(client)).toBe('new');
});

test('a client certificate that expires on an open connection is replaced, also for a watch and a POST', async () => {
  let current = await server.configFor({ user: 'short', groups: ['system:masters'], ttlSeconds: 3 });
  await using client = createKubeClient({ ...current, reload: async () => await Promise.resolve(current) });
  expect(await whoAmI(client)).toBe('short');
  await expect.poll(async () => await whoAmI(client), { timeout: 10_000, interval: 500 }).toBe('401');
  current = await server.configFor({ user: 'long', groups: ['system:masters'] });
  for await (const { type } of client.watch(resources.namespaces, { sendInitialEvents: true }, never)) {
    expect(type).toBe('ADDED');
    break;
  }
  const made = await client.create(resources.configMaps, { metadata: { namespace: 'default', name: 'x' } }, never);
  expect(made.metadata.uid).toBeDefined();
});

test('without newer credentials the refusal is reported, after one reload', async () => {
  let reloads = 0;
  const expired = await server.configFor({ user: 'old', ttlSeconds: -60 });
  const reload = async () => {
    reloads++;
    return await Promise.resolve(expired);
  };
  await using client = createKubeClient({ ...expired, reload });
  const reading = client.get(resources.namespaces, { name: 'default' }, never);
  await expect(reading).rejects.toMatchObject({ code: 'UNAUTHORIZED', status: 401 });
  expect(reloads).toBe(1);
});

test('a replaced token file is picked up', async () => {
  const tokenFile = join(directory, 'token');
  await writeFile(tokenFile, 'not-a-token\n');
  const { server: url, caData } = server.config;
  const kubeconfigPath = join(directory, 'token.kubeconfig');
  const text = kubeconfigText({ server: url, ...(caData === undefined ? {} : { caData }) });
  await writeFile(kubeconfigPath, text.replace('user: {}', 'user: { tokenFile: token }'));
  await using client = createKubeClient(await loadClusterConfig({ kubeconfigPath }));
  expect(await whoAmI(client)).toBe('401');
  await writeFile(tokenFile, `${await server.token({ namespace: 'default', name: 'robot' })}\n`);
  expect(await whoAmI(client)).toBe('system:serviceaccount:default:robot');
});

test('a credential plug-in is run', async () => {
  const token = await server.token({ namespace: 'default', name: 'plugged' });
  const credential = { apiVersion: 'client.authentication.k8s.io/v1', kind: 'ExecCredential', status: { token } };
  const { server: url, caData } = server.config;
  const exec = {
    apiVersion: credential.apiVersion,
    command: process.execPath,
    args: ['-e', `console.log(${JSON.stringify(JSON.stringify(credential))})`],
    interactiveMode: 'Never',
  };
  const kubeconfigPath = join(directory, 'exec.kubeconfig');
  const text = kubeconfigText({ server: url, ...(caData === undefined ? {} : { caData }) });
  await writeFile(kubeconfigPath, text.replace('user: {}', `user: { exec: ${JSON.stringify(exec)} }`));
  await using client = createKubeClient(await loadClusterConfig({ kubeconfigPath }));
  expect(await whoAmI(client)).toBe('system:serviceaccount:default:plugged');
});

test('a new authority and address are picked up when the old server is not trusted', async () => {
  const { config } = server;
  await using other = await startApiServer();
  let current = { ...config, server: other.server };
  await using client = createKubeClient({ ...current, reload: async () => await Promise.resolve(current) });
  await expect(client.list(resources.namespaces, {}, never)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  current = {
    ...current,
    caData: other.config.caData ?? '',
    certData: other.config.certData ?? '',
    keyData: other.config.keyData ?? '',
  };
  expect((await client.list(resources.namespaces, {}, never)).items).not.toEqual([]);
});

test('a proxy-url is gone through', async () => {
  const asked: (string | undefined)[] = [];
  const proxy = createServer().on('connect', (request, inbound) => {
    asked.push(request.url);
    const outbound = connect(Number(new URL(server.server).port), '127.0.0.1', () => {
      inbound.write('HTTP/1.1 200 OK\r\n\r\n');
      inbound.pipe(outbound).pipe(inbound);
    });
    for (const socket of [inbound, outbound]) socket.on('error', () => undefined);
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  const proxyUrl = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const client = createKubeClient({ ...server.config, proxyUrl });
  expect(await whoAmI(client)).toBe('admin');
  expect(asked).toEqual([new URL(server.server).host]);
  await client[Symbol.asyncDispose]();
  proxy.close();
});
