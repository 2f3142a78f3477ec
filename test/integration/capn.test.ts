import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { parse } from 'yaml';
import { nestedControlPlanes } from '#apis';
import { createKubeClient, resources, type KubeClient, type Secret } from '#kube';
import { run } from '../../cmd/capn/run.ts';
import type { Terminal } from '../../cmd/capn/terminal.ts';
import { startApiServer, type ApiServerFixture } from '../fixtures/api-server.ts';
import { crdTexts } from '../fixtures/crds.ts';
import { kubeconfigText } from '../fixtures/kubeconfig-text.ts';

const root = new URL('../..', import.meta.url).pathname;
const signal = AbortSignal.timeout(600_000);

let server: ApiServerFixture;
let client: KubeClient;
let stateFolder = '';

beforeAll(async () => {
  server = await startApiServer();
  client = createKubeClient(server.config);
  stateFolder = await mkdtemp(join(tmpdir(), 'capn-state-'));
  await server.installCrds(crdTexts());
});

afterAll(async () => {
  await client[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
  await rm(stateFolder, { recursive: true });
});

beforeEach(async () => {
  vi.stubEnv('KUBECONFIG', server.kubeconfigFile);
  vi.stubEnv('CAPN_STATE_DIR', stateFolder);
  const { items } = await client.list(nestedControlPlanes, {}, signal);
  await Promise.all(
    items.map(async ({ metadata }) => {
      const key = { namespace: metadata.namespace ?? '', name: metadata.name ?? '' };
      await client.delete(nestedControlPlanes, key, {}, signal);
    }),
  );
  return () => vi.unstubAllEnvs();
});

interface Result {
  readonly code: number;
  readonly out: string;
  readonly notes: string;
}

/** What the command that runs has said so far. */
let said: readonly string[] = [];

/** Runs a command line against the bare API server. `answer`: what the user types when asked. */
async function capn(args: string, answer?: string): Promise<Result> {
  let out = '';
  const notes: string[] = [];
  said = notes;
  const terminal: Terminal = {
    out: (text) => {
      out += text;
    },
    note: (line) => notes.push(line),
    raw: () => undefined,
    isLive: false,
    canAsk: answer !== undefined,
    columns: 80,
    style: (_style, text) => text,
    ask: async (question) => {
      notes.push(question);
      return answer ?? '';
    },
  };
  const code = await run(args.split(' '), { terminal, signal });
  return { code, out, notes: notes.join('\n') };
}

/** What the manager would report. */
async function setStatus(name: string, status: 'True' | 'False', message: string): Promise<void> {
  const condition = { type: 'Available', status, reason: status === 'True' ? 'Available' : 'WaitingForEtcd', message };
  const conditions = [{ ...condition, lastTransitionTime: '2026-11-30T12:00:00Z' }];
  const target = { type: nestedControlPlanes, key: { namespace: 'default', name } };
  await client.mergePatch(target, { status: { conditions } }, { subresource: 'status' }, signal);
}

const exists = async (name: string) =>
  (await client.get(nestedControlPlanes, { namespace: 'default', name }, signal)) !== undefined;

describe('capn create', () => {
  it('makes the smallest control plane and says what to do next', async () => {
    const { code, out, notes } = await capn('create team-a --version 1.36.3');
    expect({ code, out }).toEqual({ code: 0, out: 'nestedcontrolplane/team-a created\n' });
    expect(notes).toContain('capn describe team-a -n default --wait');
    const made = await client.get(nestedControlPlanes, { namespace: 'default', name: 'team-a' }, signal);
    expect(made?.spec).toMatchObject({ version: 'v1.36.3', replicas: 1, deletionPolicy: 'Delete' });
  });

  it('makes nothing with --dry-run, and shows the defaults', async () => {
    const { code, out } = await capn('create team-a --dry-run -o yaml');
    expect(code).toBe(0);
    expect(parse(out)).toMatchObject({ kind: 'NestedControlPlane', spec: { etcd: { storage: { size: '1Gi' } } } });
    expect(await exists('team-a')).toBe(false);
  });

  it('refuses what is there already', async () => {
    await capn('create team-a');
    const { code, notes } = await capn('create team-a');
    expect(code).toBe(5);
    expect(notes).toContain("capn: NestedControlPlane 'team-a' is in namespace 'default' already\n  look at it with");
  });

  it.each([
    ['create Team.A', 8, 'DNS label'],
    ['create team-a --version v1.20.0', 8, 'not supported'],
    ['create team-a -n nowhere', 3, "no namespace 'nowhere'"],
    ['create team-a --timeout 5', 2, 'number with a unit'],
    ['create', 2, "missing required argument 'name'"],
    ['create a b', 2, 'too many arguments'],
  ])('%s ends with %i: %s', async (args, code, message) => {
    const result = await capn(args);
    expect(result.notes).toContain(message);
    expect({ code: result.code, out: result.out }).toEqual({ code, out: '' });
  });

  it('waits, and tells each change of what is waited for', async () => {
    const running = capn('create team-a --wait --timeout 30s');
    await vi.waitUntil(async () => await exists('team-a'), { timeout: 10_000 });
    await setStatus('team-a', 'False', 'no pod is ready');
    await vi.waitUntil(() => said.some((line) => line.includes('no pod is ready')), { timeout: 10_000 });
    await setStatus('team-a', 'True', '');
    const { code, notes } = await running;
    expect(code).toBe(0);
    expect(notes.split('\n').slice(0, 2)).toEqual([
      '… Available=False WaitingForEtcd: no pod is ready',
      '✓ Available=True Available',
    ]);
  });

  it('ends with 4 when the time is over, saying what was waited for', async () => {
    await capn('create team-a');
    await setStatus('team-a', 'False', 'no pod is ready');
    const { code, notes } = await capn('describe team-a --wait --timeout 1s');
    expect(code).toBe(4);
    expect(notes).toContain('last seen: Available=False WaitingForEtcd: no pod is ready');
  });
});

describe('capn list', () => {
  it('prints a table, wide, JSON and YAML', async () => {
    await capn('create team-a');
    expect((await capn('list')).out).toMatch(/^NAME +AVAILABLE.*\nteam-a +Unknown +0\/1 +v1\.36\.3/);
    expect((await capn('list -A -o wide')).out).toMatch(/^NAMESPACE .*SERVICES.*\ndefault +team-a/);
    expect(JSON.parse((await capn('list -o json')).out)).toMatchObject({
      kind: 'List',
      items: [{ kind: 'NestedControlPlane' }],
    });
    expect(parse((await capn('list -o yaml')).out)).toMatchObject({ items: [{ metadata: { name: 'team-a' } }] });
  });

  it('says how to make one when there is none, and nothing with --quiet', async () => {
    expect(await capn('list')).toMatchObject({ code: 0, out: '', notes: expect.stringContaining('capn create NAME') });
    expect(await capn('list --quiet')).toEqual({ code: 0, out: '', notes: '' });
  });

  it.each([
    ['list -o xml', 2, 'Allowed choices are table, wide, json, yaml'],
    ['lst', 2, 'Did you mean list?'],
    ['list --context nope', 2, "no context 'nope'"],
    ['list --kubeconfig /nowhere', 2, '/nowhere cannot be read'],
  ])('%s ends with %i: %s', async (args, code, message) => {
    const result = await capn(args);
    expect(result.notes).toContain(message);
    expect(result.code).toBe(code);
  });
});

describe('capn describe', () => {
  it('shows the tree of what belongs to the control plane', async () => {
    await capn('create team-a');
    await setStatus('team-a', 'False', 'no pod is ready');
    const labels = { 'app.kubernetes.io/instance': 'team-a', 'app.kubernetes.io/component': 'etcd' };
    const pod = {
      metadata: { namespace: 'default', name: 'team-a-etcd-0', labels },
      spec: { containers: [{ name: 'etcd', image: 'etcd' }] },
    };
    await client.create(resources.pods, pod, signal);
    const { code, out } = await capn('describe team-a');
    await client.delete(
      resources.pods,
      { namespace: 'default', name: 'team-a-etcd-0' },
      { gracePeriodSeconds: 0 },
      signal,
    );
    expect(code).toBe(0);
    expect(out.replaceAll(/\d+[smhd]/g, '?')).toBe(`NestedControlPlane team-a  not available, 0/1 ready, v1.36.3, ? old
├─ ✗ Available=False WaitingForEtcd: no pod is ready (?)
└─ Pod team-a-etcd-0  Pending 0/1, ? old
`);
  });

  it('names what may have been meant', async () => {
    await capn('create team-a');
    expect(await capn('describe tema-a')).toMatchObject({
      code: 3,
      notes: expect.stringContaining('did you mean team-a?'),
    });
    expect(await capn('describe team-a -n kube-system')).toMatchObject({
      code: 3,
      notes: expect.stringContaining('add -n default'),
    });
  });
});

describe('capn delete', () => {
  it('refuses where nobody can be asked, but names what would go', async () => {
    await capn('create team-a');
    const { code, notes } = await capn('delete team-a');
    expect(code).toBe(5);
    expect(notes).toContain('this deletes NestedControlPlane default/team-a');
    expect(notes).toContain('add --yes');
    expect(await exists('team-a')).toBe(true);
  });

  it('asks, and deletes only when the name is typed', async () => {
    await capn('create team-a');
    expect((await capn('delete team-a', 'y')).code).toBe(5);
    expect(await exists('team-a')).toBe(true);
    expect(await capn('delete team-a --wait', 'team-a')).toMatchObject({
      code: 0,
      out: 'nestedcontrolplane/team-a deleted\n',
    });
    expect(await exists('team-a')).toBe(false);
  });

  it('waits until finalizers let go, no longer than --timeout', async () => {
    await capn('create team-a');
    const target = { type: nestedControlPlanes, key: { namespace: 'default', name: 'team-a' } };
    await client.mergePatch(target, { metadata: { finalizers: ['test.example.org/hold'] } }, {}, signal);
    expect((await capn('delete team-a --yes --wait --timeout 1s')).code).toBe(4);
    await client.mergePatch(target, { metadata: { finalizers: null } }, {}, signal);
    expect(await exists('team-a')).toBe(false);
  });
});

describe('capn kubeconfig', () => {
  /** A tenant whose address is the bare API server itself: reachable from here. */
  async function tenant(): Promise<void> {
    await capn('create team-a');
    const value = Buffer.from(server.kubeconfig).toString('base64');
    const metadata = { namespace: 'default', name: 'team-a-kubeconfig' };
    await client.apply<Secret>(
      resources.secrets,
      { metadata, data: { value } } as Secret,
      { fieldManager: 'test' },
      signal,
    );
  }

  it('ends with 3 before there is one', async () => {
    await capn('create team-b');
    expect(await capn('kubeconfig team-b')).toMatchObject({
      code: 3,
      notes: expect.stringContaining('no kubeconfig yet'),
    });
  });

  it('prints the kubeconfig as it is where the tenant can be reached', async () => {
    await tenant();
    const { code, out, notes } = await capn('kubeconfig team-a');
    expect({ code, notes }).toEqual({ code: 0, notes: '' });
    expect(parse(out)).toEqual(parse(server.kubeconfig));
    expect(JSON.parse((await capn('kubeconfig team-a -o json')).out)).toEqual(parse(server.kubeconfig));
  });

  it('writes a file for its owner only, and adds to a file without touching the rest', async () => {
    await tenant();
    const file = join(stateFolder, 'out.kubeconfig');
    expect((await capn(`kubeconfig team-a --out ${file}`)).code).toBe(0);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await capn(`kubeconfig team-a --merge --out ${file}`)).code).toBe(2);
    vi.stubEnv('KUBECONFIG', join(stateFolder, 'merged'));
    expect((await capn(`kubeconfig team-a --kubeconfig ${server.kubeconfigFile} --merge`)).code).toBe(0);
    expect(await readFile(join(stateFolder, 'merged'), 'utf8')).toContain(server.server);
  });

  it('starts one background port-forward where the tenant cannot be reached, and ends it', async () => {
    await tenant();
    const elsewhere = server.kubeconfig.replace(server.server, 'https://127.0.0.1:1');
    const metadata = { namespace: 'default', name: 'team-a-kubeconfig' };
    const data = { value: Buffer.from(elsewhere).toString('base64') };
    await client.apply<Secret>(resources.secrets, { metadata, data } as Secret, { fieldManager: 'test' }, signal);
    const first = await capn('kubeconfig team-a');
    expect(first).toMatchObject({ code: 0, notes: expect.stringContaining('capn connect --stop team-a') });
    expect(parse(first.out)).toMatchObject({ clusters: [{ cluster: { 'tls-server-name': '127.0.0.1' } }] });
    expect((await capn('kubeconfig team-a')).out).toBe(first.out);
    expect((await capn('connect team-a --stop')).out).toMatch(/^ended the port-forward on 127\.0\.0\.1:\d+\n$/);
    expect((await capn('connect team-a --stop')).notes).toContain('no background port-forward');
  });
});

it('says the versions', async () => {
  const { code, out } = await capn('version');
  expect(code).toBe(0);
  expect(out).toMatch(/^client: v0\.1\.0\nprovider: not installed .*\nsuper: Kubernetes v1\.36\.3\n$/);
});

it('tells that our rights do not suffice, and that nobody answers', async () => {
  const { caData = '', certData = '', keyData = '' } = await server.configFor({ user: 'nobody' });
  const { server: url } = server;
  const file = join(stateFolder, 'nobody.kubeconfig');
  const text = kubeconfigText({
    server: url,
    caData,
    certData,
    keyData,
  });
  await writeFile(file, text);
  expect(await capn(`list --kubeconfig ${file}`)).toMatchObject({
    code: 7,
    notes: expect.stringContaining('ask the platform team'),
  });
  await writeFile(file, text.replace(url, 'https://127.0.0.1:1'));
  expect(await capn(`list --kubeconfig ${file}`)).toMatchObject({ code: 6 });
});

it('is a program: exit code, message on stderr, no stack unless asked', async () => {
  const program = join(root, 'cmd/capn/main.ts');
  const ended = await promisify(execFile)(process.execPath, [program, 'describe', 'nope']).catch(
    (error: unknown) => error,
  );
  expect(ended).toMatchObject({
    code: 3,
    stdout: '',
    stderr: expect.stringMatching(/^capn: there is no .*\n {2}capn list/),
  });
  const debug = await promisify(execFile)(process.execPath, [program, 'describe', 'nope', '--debug']).catch(
    (error: unknown) => error,
  );
  expect(debug).toMatchObject({ code: 3, stderr: expect.stringContaining('control-plane.ts') });
});
