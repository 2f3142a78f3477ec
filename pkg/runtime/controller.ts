import { randomUUID } from 'node:crypto';
import { type Logger, type Metrics, reconcileResults } from '#observe';
import { formatKey, type KubeObject, type ObjectKey, parseKey } from '#kube';
import { type Clock, systemClock } from './clock.ts';
import { judgeFailure } from './failure.ts';
import type { Informer } from './informer.ts';
import type { ReconcileContext, ReconcileResult } from './reconcile.ts';
import { runResync } from './resync.ts';
import { failedStep } from './steps.ts';
import { mapChanges, type WatchedKind } from './watch-mapping.ts';
import { createWorkQueue, type RunAgain } from './work-queue.ts';

export type { WatchedKind } from './watch-mapping.ts';

const defaultResyncMs = 600_000;

/** What a controller is: the kind it reconciles, what wakes it, and how it reconciles one object. */
export interface ControllerDefinition<T extends KubeObject> {
  /** Unique in the program: it names metrics and log lines. */
  readonly name: string;
  /** The kind that is reconciled. */
  readonly for: Informer<T>;
  /** Kinds that it makes: a change wakes the controlling owner (owner reference of the same group and kind). */
  readonly owns?: readonly Informer<KubeObject>[];
  /** Anything else whose change concerns some keys. */
  readonly watches?: readonly WatchedKind[];
  /** Keys reconciled at the same time; default 4. */
  readonly concurrency?: number;
  /** Every key is reconciled again in about this time, ± 10 %; default 10 min. */
  readonly resyncMs?: number;
  /**
   * Brings the world closer to what the object asks for. The object may be gone: read it first.
   *
   * **Errors** a KubeError is answered by its `retry`: `soon` and `backOff` run again (Retry-After is honoured), `onChange`
   * waits for a change or the resync, and what comes from the shutdown is silent. Any other error is a bug of ours:
   * logged with its stack, counted in `capn_panics_total`, backed off.
   */
  reconcile(key: ObjectKey, context: ReconcileContext): Promise<ReconcileResult>;
}

export interface ControllerDependencies {
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Default: the machine's. */
  readonly clock?: Clock;
}

export interface Controller {
  readonly name: string;
  /**
   * Reconciles until `signal` aborts. Changes from before `run` are not lost: their keys wait.
   * **Errors** rejects when work in flight has not ended 4 s after the signal.
   */
  run(signal: AbortSignal): Promise<void>;
}

/** Makes a controller and subscribes it to its informers, so make it before they run. */
export function createController<T extends KubeObject>(
  definition: ControllerDefinition<T>,
  { logger, metrics, clock = systemClock }: ControllerDependencies,
): Controller {
  const { name, concurrency = 4, resyncMs = defaultResyncMs } = definition;
  const log = logger.child({ controller: name });
  for (const result of reconcileResults) metrics.reconciles.inc({ controller: name, result }, 0);
  const queue = createWorkQueue({ name, concurrency, clock, logger: log, metrics }, async (key, signal) => {
    const startedMs = clock.monotonicMs();
    const outcome = await reconcileOnce(definition, key, { logger: log, signal, metrics });
    metrics.reconciles.inc({ controller: name, result: outcome.result });
    metrics.reconcileDuration.observe({ controller: name }, (clock.monotonicMs() - startedMs) / 1000);
    return outcome.again;
  });
  mapChanges(definition, (key) => queue.add(formatKey(key)));
  return {
    name,
    run: async (signal) => {
      const resync = runResync(
        { objects: () => definition.for.list(), add: (key, afterMs) => queue.add(key, afterMs), resyncMs, clock },
        signal,
      );
      await Promise.all([queue.run(signal), resync]);
    },
  };
}

interface Outcome {
  readonly result: (typeof reconcileResults)[number];
  readonly again?: RunAgain | undefined;
}

async function reconcileOnce<T extends KubeObject>(
  definition: ControllerDefinition<T>,
  key: string,
  { logger, signal, metrics }: { readonly logger: Logger; readonly signal: AbortSignal; readonly metrics: Metrics },
): Promise<Outcome> {
  const reconcileId = randomUUID();
  const log = logger.child({ object: key, reconcileId });
  const onStep = (step: string, durationMs: number): void =>
    metrics.stepDuration.observe({ controller: definition.name, step }, durationMs / 1000);
  try {
    const result = await definition.reconcile(parseKey(key), { logger: log, signal, reconcileId, onStep });
    return {
      result: result.next,
      again: result.next === 'again' ? { again: 'after', afterMs: result.afterMs } : undefined,
    };
  } catch (error) {
    return failed(error, { logger: log, signal, metrics });
  }
}

/** The one place where a failed reconcile is logged. */
function failed(
  error: unknown,
  { logger, signal, metrics }: { readonly logger: Logger; readonly signal: AbortSignal; readonly metrics: Metrics },
): Outcome {
  const judgement = judgeFailure(error, signal);
  logger[judgement.level]({ error, step: failedStep(error), result: judgement.result }, judgement.message);
  if (judgement.result === 'panic') metrics.panics.inc({ where: 'reconcile' });
  return judgement;
}
