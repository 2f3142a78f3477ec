import { type CheckResult, type Logger, type Metrics, startHealthServer } from '#observe';
import type { KubeClient, KubeObject } from '#kube';
import { type Clock, systemClock } from './clock.ts';
import type { Controller } from './controller.ts';
import type { Informer } from './informer.ts';
import { createLeaseElector, type LeaderElectionOptions } from './lease-elector.ts';
import { untilAborted } from './until-aborted.ts';

/** Milliseconds from the signal until the manager has ended, whatever still runs. */
const shutdownMs = 5000;

export interface ManagerOptions {
  readonly client: KubeClient;
  /** Names the process in the Lease, such as its pod's name. */
  readonly identity: string;
  readonly controllers: readonly Controller[];
  readonly informers: readonly Informer<KubeObject>[];
  /** Without it controllers run at once: for a program that is alone. */
  readonly leaderElection?: LeaderElectionOptions;
  readonly health: { readonly port: number; readonly host?: string };
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Default: the machine's. */
  readonly clock?: Clock;
}

/**
 * Runs a program of controllers: health server and informers first, controllers once all informers have read everything
 * and, with leader election, only while holding the Lease. Ready (`/readyz`) when all informers have read everything.
 *
 * **Guarantees** ends within 5 s of `signal`, even if work in flight does not heed it; then the Lease is not given back.
 * **Errors** rejects when the Lease is lost, or a part ends by an error; everything has been told to stop by then, and the
 * process should end.
 */
export async function runManager(options: ManagerOptions, signal: AbortSignal): Promise<void> {
  const { logger, metrics, health, informers, controllers, clock = systemClock } = options;
  const ending = new AbortController();
  const ended = AbortSignal.any([signal, ending.signal]);
  const checks = { livez: (): CheckResult => ({ ok: true }), readyz: () => readiness(informers), metrics };
  await using _health = await startHealthServer({ ...health, ...checks }, signal);
  logger.info({ informers: informers.length, controllers: controllers.length }, 'Starting');
  const parts = [...informers.map(async (informer) => await informer.run(ended)), runLeading(options, ended)];
  const end = (): void => ending.abort();
  const failure = await endOf(parts, { clock, end }, ended);
  if (failure !== undefined && !signal.aborted) throw failure;
  logger[failure === undefined ? 'info' : 'warn']({ error: failure }, 'Stopped');
}

/** All controllers, once informers are synced, under the Lease if there is one. */
async function runLeading(options: ManagerOptions, signal: AbortSignal): Promise<void> {
  const { leaderElection, client, identity, logger, metrics, clock = systemClock } = options;
  const work = async (working: AbortSignal): Promise<void> => await runControllers(options, working);
  if (leaderElection === undefined) return await work(signal);
  return await createLeaseElector({ ...leaderElection, client, identity, logger, metrics, clock }).run(work, signal);
}

async function runControllers({ informers, controllers }: ManagerOptions, signal: AbortSignal): Promise<void> {
  // Rejects only when the signal aborts before all have synced; then nothing has started.
  const synced = await Promise.all(informers.map(async (informer) => await informer.synced(signal))).catch(
    () => 'aborted',
  );
  if (synced === 'aborted') return;
  await Promise.all([untilAborted(signal), ...controllers.map(async (controller) => await controller.run(signal))]);
}

/**
 * Waits until all parts have ended; the end of one, by error or not, ends the others. Answers with the first error, or
 * one that says that time ran out after `ended`.
 */
async function endOf(
  parts: readonly Promise<void>[],
  { clock, end }: { readonly clock: Clock; readonly end: () => void },
  ended: AbortSignal,
): Promise<Error | undefined> {
  let failure: Error | undefined;
  const watched = parts.map(async (part) => {
    await part.catch((error: unknown) => {
      failure ??= error instanceof Error ? error : new Error('a part of the manager failed', { cause: error });
    });
    end();
  });
  const inTime = new AbortController();
  const overdue = untilAborted(ended)
    .then(async () => await clock.sleep(shutdownMs, inTime.signal))
    .then(() => (failure ??= new Error(`not everything ended within ${shutdownMs} ms`)))
    .catch(() => undefined);
  await Promise.race([Promise.all(watched), overdue]);
  inTime.abort();
  return failure;
}

function readiness(informers: readonly Informer<KubeObject>[]): CheckResult {
  const missing = informers.filter(({ isSynced }) => !isSynced).map(({ type }) => type.plural);
  return missing.length === 0 ? { ok: true } : { ok: false, message: `not read yet: ${missing.join(', ')}` };
}
