import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { loadClusterConfig } from './load-cluster-config.ts';

const pem = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';
const data = Buffer.from(pem).toString('base64');
let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'capn-kubeconfig-'));
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(directory, { recursive: true });
});

interface Parts {
  readonly cluster?: object;
  readonly user?: object;
  readonly name?: string;
}

function kubeconfig({ cluster = {}, user = {}, name = 'one' }: Parts = {}): string {
  return JSON.stringify({
    'current-context': name,
    clusters: [{ name, cluster: { server: `https://${name}.example:6443`, ...cluster } }],
    users: [{ name, user }],
    contexts: [{ name, context: { cluster: name, user: name, namespace: 'team' } }],
  });
}

async function file(name: string, text: string): Promise<string> {
  await writeFile(join(directory, name), text);
  return join(directory, name);
}

describe('text', () => {
  test('gives everything as plain data', async () => {
    const cluster = { 'certificate-authority-data': data, 'tls-server-name': 'kube', 'proxy-url': 'http://proxy:1' };
    const user = { 'client-certificate-data': data, 'client-key-data': data, token: ' abc\n', as: 'someone' };
    expect(await loadClusterConfig({ kubeconfigText: kubeconfig({ cluster, user }) })).toEqual({
      server: 'https://one.example:6443',
      caData: pem,
      certData: pem,
      keyData: pem,
      token: 'abc',
      tlsServerName: 'kube',
      proxyUrl: 'http://proxy:1',
      impersonateUser: 'someone',
      namespace: 'team',
      reload: expect.any(Function) as unknown,
    });
  });

  test.each([
    ['exec', { user: { exec: { command: 'touch' } } }],
    ['auth-provider', { user: { 'auth-provider': { name: 'oidc' } } }],
    ['tokenFile', { user: { tokenFile: '/etc/passwd' } }],
    ['client-key', { user: { 'client-key': '/etc/shadow' } }],
    ['certificate-authority', { cluster: { 'certificate-authority': '/etc/passwd' } }],
  ])('may not name programs or files: %s', async (field, parts) => {
    await expect(loadClusterConfig({ kubeconfigText: kubeconfig(parts) })).rejects.toMatchObject({
      code: 'INVALID',
      message: `kubeconfig text: '${field}' is allowed in kubeconfig files only`,
    });
  });

  test.each([
    ['a: [', /line 1: not YAML/],
    ['just words', /not a kubeconfig/],
    ['{}', /no current-context is set; choose one of none/],
    [kubeconfig().replace('"current-context":"one"', '"current-context":"two"'), /no context 'two'; there is one/],
    [kubeconfig().replace('"cluster":"one"', '"cluster":"two"'), /names cluster 'two'; there is one/],
    [kubeconfig({ cluster: { server: 'localhost:6443' } }), /server 'localhost:6443' is no https/],
    [kubeconfig({ cluster: { 'certificate-authority-data': 'AAAA' } }), /certificate-authority-data is no PEM/],
    [kubeconfig({ user: { username: 'a', password: 'hunter2' } }), /user names and passwords are not supported/],
  ])('that is wrong says what is: %s', async (kubeconfigText, message) => {
    const error: unknown = await loadClusterConfig({ kubeconfigText }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'INVALID', message: expect.stringMatching(message) as string });
    expect(String(error)).not.toContain('hunter2');
  });

  test('broken YAML is not quoted', async () => {
    const kubeconfigText = 'users:\n- user: { token: hunter2\n  - "';
    const error: unknown = await loadClusterConfig({ kubeconfigText }).catch((reason: unknown) => reason);
    expect(String((error as Error).stack)).not.toContain('hunter2');
  });
});

describe('files', () => {
  test('may name files, relative to their own folder, read anew by reload', async () => {
    await mkdir(join(directory, 'pki'));
    await file('pki/ca.crt', pem);
    const token = await file('token', 'first\n');
    const cluster = { 'certificate-authority': 'pki/ca.crt' };
    const kubeconfigPath = await file('config', kubeconfig({ cluster, user: { tokenFile: 'token' } }));
    const config = await loadClusterConfig({ kubeconfigPath });
    expect(config).toMatchObject({ caData: pem, token: 'first' });
    await writeFile(token, 'second');
    expect(await config.reload?.()).toMatchObject({ token: 'second', reload: expect.any(Function) as unknown });
  });

  test('that are missing are named', async () => {
    const kubeconfigPath = join(directory, 'absent');
    await expect(loadClusterConfig({ kubeconfigPath })).rejects.toThrow(
      `kubeconfig ${kubeconfigPath} cannot be read (ENOENT)`,
    );
    const broken = await file('broken', kubeconfig({ user: { tokenFile: 'absent' } }));
    await expect(loadClusterConfig({ kubeconfigPath: broken })).rejects.toThrow(/file .*absent that it names .*ENOENT/);
  });

  test('a failing plug-in is UNAUTHORIZED, with its words', async () => {
    const exec = {
      apiVersion: 'client.authentication.k8s.io/v1',
      command: process.execPath,
      args: ['-e', 'console.error("log in first"); process.exit(1)'],
    };
    const kubeconfigPath = await file('config', kubeconfig({ user: { exec } }));
    await expect(loadClusterConfig({ kubeconfigPath })).rejects.toMatchObject({
      code: 'UNAUTHORIZED',
      message: expect.stringContaining('log in first') as string,
    });
  });
});

describe('defaults', () => {
  test('$KUBECONFIG may list files; the first to name a thing wins, absent ones are passed over', async () => {
    const one = await file('one', kubeconfig());
    const two = await file('two', kubeconfig({ name: 'two' }));
    vi.stubEnv('KUBECONFIG', `${join(directory, 'absent')}:${two}:${one}`);
    expect((await loadClusterConfig()).server).toBe('https://two.example:6443');
    expect((await loadClusterConfig({ context: 'one' })).server).toBe('https://one.example:6443');
  });

  test('outside a pod and without a kubeconfig it says what was looked for', async () => {
    vi.stubEnv('KUBECONFIG', '');
    vi.stubEnv('HOME', directory);
    vi.stubEnv('KUBERNETES_SERVICE_HOST', '');
    await expect(loadClusterConfig()).rejects.toThrow(`no kubeconfig at ${directory}/.kube/config`);
    await expect(loadClusterConfig({ inCluster: true })).rejects.toThrow('this is no pod');
  });
});
