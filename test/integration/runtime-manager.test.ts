import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createLogger, createMetrics } from '#observe';
import { type ClusterConfig, type ConfigMap, createKubeClient, type KubeClient, resources } from '#kube';
import {
  countRequests,
  createController,
  createInformer,
  done,
  LeaseLostError,
  type ReconcileContext,
  runManager,
} from '#runtime';
import { type ApiServerFixture, startApiServer } from '../fixtures/api-server.ts';
import { freePorts } from '../fixtures/free-ports.ts';

const never = new AbortController().signal;
const namespace = 'default';
const { configMaps, leases } = resources;
const logger = createLogger({ name: 'test', level: process.env['TEST_LOG_LEVEL'] ?? 'silent', pretty: false });
const auditPolicy = `
apiVersion: audit.k8s.io/v1
kind: Policy
rules: [{ level: Metadata, users: [the-manager], omitStages: [RequestReceived] }]
`;
let directory: string;
let server: ApiServerFixture;
let managerConfig: ClusterConfig;
/** Of the manager, and of the test. */
let client: KubeClient;
let direct: KubeClient;
let leaseName = '';
let count = 0;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'capn-audit-'));
  await writeFile(join(directory, 'policy.yaml'), auditPolicy);
  const flags = { 'audit-policy-file': join(directory, 'policy.yaml'), 'audit-log-path': join(directory, 'audit.log') };
  server = await startApiServer({ flags });
  managerConfig = await server.configFor({ user: 'the-manager', groups: ['system:masters'] });
  client = createKubeClient(managerConfig);
  direct = createKubeClient(server.config);
});

afterAll(async () => {
  await client[Symbol.asyncDispose]();
  await direct[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
  await rm(directory, { recursive: true, force: true });
});

beforeEach(() => {
  leaseName = `manager-${++count}`;
});

/** What `/metrics` holds once one object was reconciled. */
const metricLines = [
  'capn_leader 1',
  'capn_reconciles_total{controller="test",result="done"} 1',
  'capn_queue_adds_total{queue="test"} 1',
  'capn_queue_depth{queue="test"} 0',
  'capn_informer_objects{resource="configmaps"} 1',
  'capn_informer_relists_total{resource="configmaps",reason="start"} 1',
  'capn_api_requests_total{verb="get",code="4xx"} 1',
  'capn_api_requests_total{verb="create",code="2xx"} 1',
];

interface Running {
  readonly port: number;
  readonly stop: () => void;
  /** `resolved`, or the error. */
  readonly ended: Promise<unknown>;
}

type Reconcile = (object: ConfigMap | undefined, context: ReconcileContext) => Promise<void>;

async function start(reconcile: Reconcile): Promise<Running> {
  const metrics = createMetrics();
  const scope = { namespace, labelSelector: `test=${leaseName}` };
  const counted = countRequests(client, metrics);
  const informer = createInformer(counted, configMaps, scope, { logger, metrics });
  const definition = {
    name: 'test',
    for: informer,
    reconcile: async (key: { name: string }, context: ReconcileContext) => {
      await reconcile(informer.get({ namespace, name: key.name }), context);
      return done();
    },
  };
  const controllers = [createController(definition, { logger, metrics })];
  const [port = 0] = await freePorts(1);
  const ending = new AbortController();
  const leaderElection = {
    namespace,
    name: leaseName,
    leaseDurationMs: 3000,
    renewDeadlineMs: 2000,
    retryPeriodMs: 500,
  };
  const options = {
    client: counted,
    identity: 'test',
    controllers,
    informers: [informer],
    leaderElection,
    logger,
    metrics,
  };
  const ended = runManager({ ...options, health: { port, host: '127.0.0.1' } }, ending.signal).then(
    () => 'resolved',
    (error: unknown) => error,
  );
  return { port, stop: () => ending.abort(), ended };
}

async function create(name: string): Promise<ConfigMap> {
  const metadata = { namespace, name: `${leaseName}-${name}`, labels: { test: leaseName } };
  return await direct.create(configMaps, { metadata }, never);
}

async function status(port: number, path: string): Promise<number> {
  return await fetch(`http://127.0.0.1:${port}${path}`).then(
    ({ status }) => status,
    () => 0,
  );
}

async function lease(): Promise<string | undefined> {
  return (await direct.get(leases, { namespace, name: leaseName }, never))?.spec?.holderIdentity;
}

/** `update leases` and the like: what the manager asked for since `from` (bytes of the audit log), reads apart. */
async function writesSince(from: number): Promise<readonly string[]> {
  const lines = (await readFile(join(directory, 'audit.log'), 'utf8')).slice(from).split('\n').filter(Boolean);
  const events = lines.map((line) => JSON.parse(line) as { verb: string; objectRef?: { resource?: string } });
  return events
    .filter(({ verb }) => !['get', 'list', 'watch'].includes(verb))
    .map(({ verb, objectRef }) => `${verb} ${objectRef?.resource}`);
}

describe('a manager', () => {
  test('serves health and metrics, reconciles while it leads, and at the end gives the Lease back', async () => {
    const seen: (string | undefined)[] = [];
    await create('there');
    const manager = await start(async (object) => {
      seen.push(object?.metadata.name);
      await Promise.resolve();
    });
    await expect.poll(async () => await status(manager.port, '/readyz')).toBe(200);
    await expect.poll(() => seen).toEqual([`${leaseName}-there`]);
    expect(await status(manager.port, '/livez')).toBe(200);
    const text = await (await fetch(`http://127.0.0.1:${manager.port}/metrics`)).text();
    for (const line of metricLines) expect(text).toContain(line);
    manager.stop();
    expect(await manager.ended).toBe('resolved');
    expect(await lease()).toBe('');
    expect(await status(manager.port, '/livez')).toBe(0);
  });

  test('ends within 5 s though work in flight does not heed the signal, and then keeps the Lease', async () => {
    let began = 0;
    await create('stubborn');
    const stubborn = new AbortController();
    const manager = await start(async () => {
      began++;
      await sleep(600_000, undefined, { signal: stubborn.signal }).catch(() => undefined);
    });
    await expect.poll(() => began).toBe(1);
    const startedMs = performance.now();
    manager.stop();
    expect(await manager.ended).toBe('resolved');
    expect(performance.now() - startedMs).toBeLessThan(5500);
    expect(await lease()).toMatch(/^test_/);
    stubborn.abort();
  });

  test('stops its work and rejects when the Lease is lost', async () => {
    let aborted = 0;
    await create('working');
    const manager = await start(async (_object, { signal }) => {
      await sleep(600_000, undefined, { signal }).catch(() => aborted++);
    });
    await expect.poll(async () => await lease()).toMatch(/^test_/);
    await sleep(500);
    await direct.delete(leases, { namespace, name: leaseName }, {}, never);
    expect(await manager.ended).toBeInstanceOf(LeaseLostError);
    expect(aborted).toBe(1);
    expect(await status(manager.port, '/livez')).toBe(0);
  });

  test('waits for a Lease that somebody else holds, ready all the same', async () => {
    let reconciled = 0;
    await create('waiting');
    const spec = { holderIdentity: 'other', leaseDurationSeconds: 3600 };
    await direct.create(leases, { metadata: { namespace, name: leaseName }, spec }, never);
    const manager = await start(async () => {
      reconciled++;
      await Promise.resolve();
    });
    await expect.poll(async () => await status(manager.port, '/readyz')).toBe(200);
    await sleep(1000);
    expect(reconciled).toBe(0);
    const target = { type: leases, key: { namespace, name: leaseName } };
    await direct.mergePatch(target, { spec: { holderIdentity: '' } }, {}, never);
    await expect.poll(() => reconciled, { timeout: 10_000 }).toBe(1);
    manager.stop();
    await manager.ended;
  });

  test('writes nothing but its Lease at rest', async () => {
    await create('resting');
    const manager = await start(async () => await Promise.resolve());
    await expect.poll(async () => await lease()).toMatch(/^test_/);
    await sleep(1000);
    const from = (await readFile(join(directory, 'audit.log'), 'utf8')).length;
    await sleep(4000);
    const writes = await writesSince(from);
    expect(writes.length).toBeGreaterThan(3);
    expect(new Set(writes)).toEqual(new Set(['update leases']));
    manager.stop();
    await manager.ended;
  });

  test('rejects when the port for health is taken, having started nothing', async () => {
    const manager = await start(async () => await Promise.resolve());
    await expect.poll(async () => await status(manager.port, '/livez')).toBe(200);
    const options = { client, identity: 'test', controllers: [], informers: [], logger, metrics: createMetrics() };
    const health = { port: manager.port, host: '127.0.0.1' };
    await expect(runManager({ ...options, health }, never)).rejects.toThrow(/EADDRINUSE/);
    manager.stop();
    await manager.ended;
  });
});
