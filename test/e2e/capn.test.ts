import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { TenantKubeconfig } from '../../cmd/capn/connection/tenant-kubeconfig.ts';
import { eventually } from '../fixtures/eventually.ts';
import { superCluster } from '../fixtures/super-cluster.ts';

const program = new URL('../../cmd/capn/main.ts', import.meta.url).pathname;
const namespace = 'capn-cli';
type SuperCluster = Awaited<ReturnType<typeof superCluster>>;

let cluster: SuperCluster;
let folder = '';
let env: NodeJS.ProcessEnv = {};

beforeAll(async () => {
  cluster = await superCluster();
  folder = await mkdtemp(join(tmpdir(), 'capn-e2e-'));
  env = { ...process.env, KUBECONFIG: cluster.kubeconfig, CAPN_STATE_DIR: folder };
  await cluster.kubectl(['create', 'namespace', namespace]);
});

afterAll(async () => {
  await capn(['connect', 'cli', '--stop']);
  await cluster.kubectl(['delete', 'namespace', namespace, '--ignore-not-found']);
  await rm(folder, { recursive: true, force: true });
});

interface Result {
  readonly code: number;
  readonly out: string;
  readonly notes: string;
}

/** Runs the program as a person does. */
async function capn(args: readonly string[]): Promise<Result> {
  return await execute(process.execPath, [program, ...args, ...(args[0] === 'version' ? [] : ['-n', namespace])]);
}

async function execute(command: string, args: readonly string[], input = ''): Promise<Result> {
  return await new Promise((resolve) => {
    const child = execFile(command, args, { env, maxBuffer: 1e7 }, (error, out, notes) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : (child.exitCode ?? 1), out, notes });
    });
    child.stdin?.on('error', () => undefined).end(input);
  });
}

/** `capn kubeconfig cli | kubectl --kubeconfig /dev/stdin …` */
async function throughPipe(args: string): Promise<Result> {
  const quoted = [process.execPath, program, 'kubeconfig', 'cli', '-n', namespace].map((word) => `'${word}'`).join(' ');
  return await execute('/bin/sh', ['-c', `${quoted} | '${cluster.sandbox.kubectl}' --kubeconfig /dev/stdin ${args}`]);
}

it('creates a control plane and shows what it waits for until it serves', async () => {
  const { code, out, notes } = await capn(['create', 'cli', '--wait', '--timeout', '5m']);
  expect({ code, out }).toEqual({ code: 0, out: 'nestedcontrolplane/cli created\n' });
  expect(notes).toMatch(/… \w+=\w+ \w+/);
  expect(notes).toContain('✓ Available=True');
});

it('describes it as a tree down to pods and claims', async () => {
  const { code, out } = await capn(['describe', 'cli']);
  expect(code).toBe(0);
  expect(out).toMatch(/^NestedControlPlane cli {2}available, 1\/1 ready/);
  expect(out).toMatch(/─ NestedEtcd cli {2}ready, 1\/1 ready.*\n[^N]*Pod cli-etcd-0 {2}Running 1\/1/);
  expect(out).toMatch(/Claim \S*cli-etcd-0 {2}Bound, 1Gi/);
  expect(out).toMatch(/─ NestedAPIServer cli {2}ready/);
  expect(out).toMatch(/─ NestedControllerManager cli {2}ready/);
});

it('prints a kubeconfig that works from here, through one background port-forward', async () => {
  expect(JSON.parse((await throughPipe('get --raw /version')).out)).toMatchObject({ gitVersion: 'v1.36.3' });
  const first = await capn(['kubeconfig', 'cli']);
  const second = await capn(['kubeconfig', 'cli']);
  expect(second.out).toBe(first.out);
  const { clusters } = parse(first.out) as TenantKubeconfig;
  expect(clusters[0]?.cluster.server).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
});

it('carries many requests at once', async () => {
  const file = join(folder, 'many.kubeconfig');
  await capn(['kubeconfig', 'cli', '--out', file]);
  const asked = Array.from(
    { length: 8 },
    async () => await execute(cluster.sandbox.kubectl, ['--kubeconfig', file, 'get', '--raw', '/openapi/v2']),
  );
  const sizes = (await Promise.all(asked)).map(({ out }) => out.length);
  expect(Math.min(...sizes)).toBeGreaterThan(1_000_000);
});

it('finds the new API server pod after the old one was deleted', async () => {
  const selector = 'app.kubernetes.io/instance=cli,app.kubernetes.io/component=kube-apiserver';
  await cluster.kubectl(['delete', 'pod', '-n', namespace, '-l', selector, '--wait=false']);
  await eventually(async () => {
    expect((await throughPipe('get --raw /readyz')).out).toBe('ok');
  }, 120_000);
});

it('connects in the foreground until Ctrl-C, and leaves no file', async () => {
  const child = spawn(process.execPath, [program, 'connect', 'cli', '-n', namespace], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const file = line.replace('export KUBECONFIG=', '');
  expect((await execute(cluster.sandbox.kubectl, ['--kubeconfig', file, 'get', '--raw', '/readyz'])).out).toBe('ok');
  child.kill('SIGINT');
  await once(child, 'exit');
  await expect(access(file)).rejects.toThrow(/ENOENT/);
});

it('merges into a file and does not overwrite what is there', async () => {
  const file = join(folder, 'config');
  env = { ...env, KUBECONFIG: file };
  const flags = ['kubeconfig', 'cli', '--merge', '--kubeconfig', cluster.kubeconfig];
  expect((await capn(flags)).code).toBe(0);
  const text = await readFile(file, 'utf8');
  expect((await capn(flags)).notes).toContain('is in');
  expect(await readFile(file, 'utf8')).toBe(text);
  const context = (parse(text) as TenantKubeconfig)['current-context'];
  const asked = await execute(cluster.sandbox.kubectl, [
    '--kubeconfig',
    file,
    '--context',
    context,
    'get',
    'namespaces',
    '-o',
    'name',
  ]);
  expect(asked.out).toContain('namespace/kube-system');
  env = { ...env, KUBECONFIG: cluster.kubeconfig };
});

it('says the versions of program, provider and super cluster', async () => {
  const { code, out } = await capn(['version']);
  expect(code).toBe(0);
  expect(out).toMatch(
    /^client: v0\.1\.0\nprovider: \S+capn:v0\.1\.0 \(capn-controller-manager, ready\)\nsuper: Kubernetes v1\.36\.3\n$/,
  );
});

it('deletes it with all that it had, and the background port-forward ends by itself', async () => {
  const { code, notes } = await capn(['delete', 'cli', '--yes', '--wait', '--timeout', '3m']);
  expect(code).toBe(0);
  expect(notes).toContain('NestedEtcd cli');
  expect((await capn(['describe', 'cli'])).code).toBe(3);
  await eventually(async () => {
    expect(await cluster.kubectl(['get', 'pods,pvc,secrets', '-n', namespace, '-o', 'name'])).toBe('');
    expect((await capn(['connect', 'cli', '--stop'])).notes).toContain('no background port-forward');
  }, 60_000);
});
