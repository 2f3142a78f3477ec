import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createLogger, createMetrics } from '#observe';
import { type KubeClient, resources } from '#kube';
import { createLeaseElector, LeaseLostError } from '#runtime';
import type { ApiServerFixture } from '../fixtures/api-server.ts';
import { startProcess } from '../fixtures/process.ts';
import { startRelayedServer, type RelayedServer } from '../fixtures/relayed-server.ts';
import type { TcpRelay } from '../fixtures/tcp-relay.ts';

const never = new AbortController().signal;
const namespace = 'kube-system';
const durations = { leaseDurationMs: 3000, renewDeadlineMs: 1500, retryPeriodMs: 200 };
const logger = createLogger({ name: 'test', level: process.env['TEST_LOG_LEVEL'] ?? 'silent', pretty: false });
let relayed: RelayedServer;
let server: ApiServerFixture;
let relay: TcpRelay;
/** Of one elector, through the relay; of the other, past it. */
let client: KubeClient;
let direct: KubeClient;
let name = '';
let count = 0;

beforeAll(async () => {
  relayed = await startRelayedServer();
  ({ server, relay, client, direct } = relayed);
});

afterAll(async () => {
  await relayed[Symbol.asyncDispose]();
});

beforeEach(() => {
  name = `lease-${++count}`;
});

/** One contender: when its work began and ended, and how its run ended. */
interface Contender {
  beganMs?: number;
  endedMs?: number;
  outcome?: unknown;
  readonly stop: () => void;
  readonly ended: Promise<unknown>;
}

function contend(through: KubeClient, identity: string): Contender {
  const elector = createLeaseElector({
    client: through,
    identity,
    namespace,
    name,
    ...durations,
    logger,
    metrics: createMetrics(),
  });
  const ending = new AbortController();
  const work = async (signal: AbortSignal): Promise<void> => {
    contender.beganMs = performance.now();
    await sleep(600_000, undefined, { signal }).catch(() => undefined);
    contender.endedMs = performance.now();
  };
  const ended = elector.run(work, ending.signal).then(
    () => (contender.outcome = 'resolved'),
    (error: unknown) => (contender.outcome = error),
  );
  const contender: Contender = { stop: () => ending.abort(), ended, outcome: undefined };
  return contender;
}

const leads = ({ beganMs, endedMs }: Contender): boolean => beganMs !== undefined && endedMs === undefined;

async function holder(): Promise<string | undefined> {
  return (await direct.get(resources.leases, { namespace, name }, never))?.spec?.holderIdentity;
}

describe('two electors', () => {
  test('exactly one leads, and on its exit the other follows without waiting for the Lease to run out', async () => {
    const both = [contend(direct, 'same-name'), contend(direct, 'same-name')];
    await expect.poll(() => both.filter(leads).length).toBe(1);
    await sleep(durations.leaseDurationMs + 500);
    expect(both.filter((contender) => contender.beganMs !== undefined)).toHaveLength(1);
    const [leader, follower] = leads(both[0] as Contender) ? both : both.toReversed();
    const stoppedMs = performance.now();
    leader?.stop();
    await expect.poll(() => follower !== undefined && leads(follower), { timeout: 10_000, interval: 20 }).toBe(true);
    expect((follower?.beganMs ?? Infinity) - stoppedMs).toBeLessThan(durations.leaseDurationMs / 2);
    expect(leader?.endedMs).toBeLessThan(follower?.beganMs ?? 0);
    follower?.stop();
    await follower?.ended;
    expect(await holder()).toBe('');
    expect(both.map(({ outcome }) => outcome)).toEqual(['resolved', 'resolved']);
  });

  test('when the leader is cut off it stops its work before the other takes over', async () => {
    const leader = contend(client, 'first');
    await expect.poll(() => leads(leader)).toBe(true);
    const follower = contend(direct, 'second');
    relay.cut();
    await expect.poll(() => leads(follower), { timeout: 15_000, interval: 20 }).toBe(true);
    await leader.ended;
    expect(leader.outcome).toBeInstanceOf(LeaseLostError);
    expect(leader.endedMs).toBeLessThan(follower.beganMs ?? 0);
    expect(await holder()).toMatch(/^second_/);
    relay.mend();
    follower.stop();
    await follower.ended;
  });

  test('when the leader is killed the other takes over once its Lease has run out', async () => {
    await using leader = startProcess({
      command: process.execPath,
      args: ['test/fixtures/lead.ts', server.kubeconfigFile, `${namespace}/${name}`, String(durations.leaseDurationMs)],
      logFile: join(server.directory, 'leader.log'),
    });
    await expect.poll(holder, { timeout: 20_000 }).toMatch(/^child_/);
    const follower = contend(direct, 'second');
    await sleep(durations.leaseDurationMs + 500);
    expect(leads(follower)).toBe(false);
    await leader.stop('SIGKILL');
    await expect.poll(() => leads(follower), { timeout: 15_000 }).toBe(true);
    follower.stop();
    await follower.ended;
  });

  test('survive that the API server is gone for less than the renew deadline', async () => {
    const leader = contend(client, 'first');
    await expect.poll(() => leads(leader)).toBe(true);
    relay.cut();
    await sleep(600);
    relay.mend();
    await sleep(durations.leaseDurationMs);
    expect(leads(leader)).toBe(true);
    leader.stop();
    await leader.ended;
    expect(leader.outcome).toBe('resolved');
  });
});

describe('a leader', () => {
  test('stops when its Lease is deleted', async () => {
    const leader = contend(direct, 'first');
    await expect.poll(() => leads(leader)).toBe(true);
    await direct.delete(resources.leases, { namespace, name }, {}, never);
    await leader.ended;
    expect(leader.outcome).toBeInstanceOf(LeaseLostError);
    expect(leader.endedMs).toBeDefined();
  });

  test('stops when somebody else takes its Lease', async () => {
    const leader = contend(direct, 'first');
    await expect.poll(() => leads(leader)).toBe(true);
    const target = { type: resources.leases, key: { namespace, name } };
    await direct.mergePatch(target, { spec: { holderIdentity: 'thief' } }, {}, never);
    await leader.ended;
    expect(leader.outcome).toBeInstanceOf(LeaseLostError);
    expect(await holder()).toBe('thief');
  });

  test('goes on when its Lease is only annotated by somebody', async () => {
    const leader = contend(direct, 'first');
    await expect.poll(() => leads(leader)).toBe(true);
    const target = { type: resources.leases, key: { namespace, name } };
    for (let round = 0; round < 10; round++) {
      await direct.mergePatch(target, { metadata: { annotations: { round: String(round) } } }, {}, never);
      await sleep(100);
    }
    expect(leads(leader)).toBe(true);
    leader.stop();
    await leader.ended;
    const lease = await direct.get(resources.leases, { namespace, name }, never);
    expect(lease?.metadata.annotations).toEqual({ round: '9' });
    expect(lease?.spec?.renewTime).toMatch(/\.\d{6}Z$/);
  });
});

test('durations that allow two leaders are refused', () => {
  const options = { client: direct, identity: 'a', namespace, name, logger };
  expect(() => createLeaseElector({ ...options, ...durations, renewDeadlineMs: 3000 })).toThrow(/must hold/);
  expect(() => createLeaseElector({ ...options, ...durations, leaseDurationMs: 2500 })).toThrow(/whole seconds/);
});
