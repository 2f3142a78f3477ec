import { randomUUID } from 'node:crypto';
import type { Logger, Metrics } from '#observe';
import { type KubeClient, type Lease, resources } from '#kube';
import { jitterMs } from './back-off.ts';
import { type Clock, systemClock } from './clock.ts';
import { HeldLease } from './held-lease.ts';
import { claimedLease, type LeaseSubject, logLeaseFailure, writeLease } from './lease.ts';
import { LeaseObservation } from './lease-observation.ts';

/** Which Lease, and how long things take: durations in milliseconds, those of Kubernetes' own controllers by default. */
export interface LeaderElectionOptions {
  readonly namespace: string;
  readonly name: string;
  /** How long others wait before they take over from a leader that fell silent; whole seconds; default 15,000. */
  readonly leaseDurationMs?: number;
  /** Work is stopped when no renewal succeeded for this long; default 10,000. The rest is for work to end in. */
  readonly renewDeadlineMs?: number;
  /** Between two attempts; default 2,000. */
  readonly retryPeriodMs?: number;
}

export interface LeaseElectorOptions extends LeaderElectionOptions {
  readonly client: KubeClient;
  /** Names the process for people, such as its pod's name. A random part is added, so two processes never share one. */
  readonly identity: string;
  readonly logger: Logger;
  readonly metrics?: Metrics;
  /** Default: the machine's. */
  readonly clock?: Clock;
}

export interface LeaseElector {
  readonly isLeader: boolean;
  /**
   * Waits for the Lease, then runs `work` while holding it, and gives it back once work has ended. `work` gets a signal
   * that aborts with `signal` or when the Lease is lost.
   *
   * **Guarantees** at most one process works: work is told to stop before others may take over. The Lease is only given back
   * after work has ended.
   * **Errors** {@link LeaseLostError} when the Lease was lost; what `work` rejects with. Resolves when `signal` aborts.
   */
  run(work: (signal: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void>;
}

/**
 * Makes an elector over one `coordination.k8s.io/v1` Lease, compatible with client-go's.
 * **Errors** throws when the durations do not allow a safe takeover.
 */
export function createLeaseElector(options: LeaseElectorOptions): LeaseElector {
  return new Elector(options);
}

class Elector implements LeaseElector {
  readonly #subject: LeaseSubject;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #metrics: Metrics | undefined;
  readonly #renewDeadlineMs: number;
  readonly #retryPeriodMs: number;
  #isLeader = false;

  constructor(options: LeaseElectorOptions) {
    const { leaseDurationMs = 15_000, renewDeadlineMs = 10_000, retryPeriodMs = 2000 } = options;
    requireSafe({ leaseDurationMs, renewDeadlineMs, retryPeriodMs });
    const { client, namespace, name, identity, clock = systemClock } = options;
    const holder = `${identity}_${randomUUID()}`;
    this.#subject = { client, namespace, name, holder, durationSeconds: leaseDurationMs / 1000 };
    this.#renewDeadlineMs = renewDeadlineMs;
    this.#retryPeriodMs = retryPeriodMs;
    this.#clock = clock;
    this.#logger = options.logger.child({ lease: `${namespace}/${name}`, holder });
    this.#metrics = options.metrics;
  }

  get isLeader(): boolean {
    return this.#isLeader;
  }

  async run(work: (signal: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void> {
    this.#setLeader(false);
    const held = await this.#acquire(signal);
    if (held === undefined) return;
    this.#logger.info('Leading');
    this.#setLeader(true);
    try {
      await lead({ held, work }, signal);
      await held.release();
    } finally {
      this.#setLeader(false);
    }
  }

  /** Waits for the Lease; undefined when `signal` aborts before. */
  async #acquire(signal: AbortSignal): Promise<HeldLease | undefined> {
    const observation = new LeaseObservation();
    while (!signal.aborted) {
      const startedMs = this.#clock.monotonicMs();
      try {
        const lease = await this.#tryAcquire(observation, signal);
        if (lease !== undefined) return this.#hold(lease, startedMs);
      } catch (error) {
        if (!signal.aborted) logLeaseFailure(this.#logger, error);
      }
      await this.#clock.sleep(jitterMs(this.#retryPeriodMs, 0.2), signal).catch(() => undefined);
    }
    return undefined;
  }

  async #tryAcquire(observation: LeaseObservation, signal: AbortSignal): Promise<Lease | undefined> {
    const { client, namespace, name } = this.#subject;
    const found = await client.get(resources.leases, { namespace, name }, signal);
    if (found !== undefined && !observation.isFree(found, this.#clock.monotonicMs())) return undefined;
    return await writeLease(client, claimedLease(this.#subject, this.#clock.now(), found), signal);
  }

  #hold(lease: Lease, renewedMs: number): HeldLease {
    return new HeldLease(lease, {
      subject: this.#subject,
      clock: this.#clock,
      logger: this.#logger,
      renewDeadlineMs: this.#renewDeadlineMs,
      retryPeriodMs: this.#retryPeriodMs,
      renewedMs,
    });
  }

  #setLeader(isLeader: boolean): void {
    this.#isLeader = isLeader;
    this.#metrics?.leader.set(isLeader ? 1 : 0);
  }
}

/** Runs work and renewal side by side; the end of either ends the other. */
async function lead(
  { held, work }: { readonly held: HeldLease; readonly work: (signal: AbortSignal) => Promise<void> },
  signal: AbortSignal,
): Promise<void> {
  const workEnded = new AbortController();
  const lost = new AbortController();
  let loss: unknown;
  const renewing = held.keep(workEnded.signal).catch((error: unknown) => {
    loss = error;
    lost.abort(error);
  });
  try {
    await work(AbortSignal.any([signal, lost.signal]));
  } finally {
    workEnded.abort();
    await renewing;
  }
  if (loss instanceof Error) throw loss;
}

function requireSafe(at: {
  readonly leaseDurationMs: number;
  readonly renewDeadlineMs: number;
  readonly retryPeriodMs: number;
}): void {
  const isSafe = at.retryPeriodMs < at.renewDeadlineMs && at.renewDeadlineMs < at.leaseDurationMs;
  if (isSafe && at.leaseDurationMs % 1000 === 0) return;
  const { retryPeriodMs, renewDeadlineMs, leaseDurationMs } = at;
  throw new Error(
    `leader election: retry period (${retryPeriodMs} ms) < renew deadline (${renewDeadlineMs} ms) < lease duration ` +
      `(${leaseDurationMs} ms) must hold, and the lease duration must be whole seconds`,
  );
}
