import type { Logger } from '#observe';
import { isKubeError, type Lease, resources } from '#kube';
import type { Clock } from './clock.ts';
import { claimedLease, type LeaseSubject, logLeaseFailure, releasedLease, writeLease } from './lease.ts';

/** Milliseconds that giving the Lease back may take. */
const releaseMs = 900;

/** The Lease went to somebody else or could not be renewed in time. The process should end. */
export class LeaseLostError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'LeaseLostError';
  }
}

export interface HeldLeaseOptions {
  readonly subject: LeaseSubject;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly renewDeadlineMs: number;
  readonly retryPeriodMs: number;
  /** The moment, on the monotonic clock, before the write that won the Lease was sent. */
  readonly renewedMs: number;
}

/** A Lease that is ours for now. */
export class HeldLease {
  readonly #options: HeldLeaseOptions;
  #lease: Lease;
  /** When the last renewal that succeeded was sent: others count from later than that. */
  #renewedMs: number;

  constructor(lease: Lease, options: HeldLeaseOptions) {
    this.#lease = lease;
    this.#options = options;
    this.#renewedMs = options.renewedMs;
  }

  /** Renews until `signal` aborts. **Errors** {@link LeaseLostError}, at the latest at the renew deadline. */
  async keep(signal: AbortSignal): Promise<void> {
    const { clock, retryPeriodMs } = this.#options;
    while (!signal.aborted) {
      await clock.sleep(Math.min(retryPeriodMs, this.#leftMs()), signal).catch(() => undefined);
      if (!signal.aborted) await this.#renew(signal);
    }
  }

  /** Gives the Lease back, so that others need not wait until it has run out. Never rejects. */
  async release(): Promise<void> {
    const signal = AbortSignal.timeout(releaseMs);
    try {
      await this.#tryRelease(signal).catch(async (error: unknown) => {
        if (!isKubeError(error, 'CONFLICT')) throw error;
        // A renewal that was cut off arrived all the same.
        await this.#requireHeld(signal);
        await this.#tryRelease(signal);
      });
    } catch (error) {
      logLeaseFailure(this.#options.logger, error);
    }
  }

  /** One attempt, cut off at the deadline. */
  async #renew(signal: AbortSignal): Promise<void> {
    const { clock, logger, renewDeadlineMs } = this.#options;
    const startedMs = clock.monotonicMs();
    try {
      await this.#beforeDeadline(async (attempt) => await this.#renewOnce(attempt), signal);
      this.#renewedMs = startedMs;
    } catch (error) {
      if (error instanceof LeaseLostError) throw error;
      if (signal.aborted) return;
      logLeaseFailure(logger, error);
      if (this.#leftMs() > 0) return;
      throw new LeaseLostError(`the Lease could not be renewed for ${renewDeadlineMs} ms`);
    }
  }

  async #beforeDeadline(act: (attempt: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void> {
    const cutOff = new AbortController();
    const attempt = AbortSignal.any([signal, cutOff.signal]);
    const cut = (): void => cutOff.abort();
    const timer = this.#options.clock.sleep(this.#leftMs(), attempt).then(cut, cut);
    try {
      await act(attempt);
    } finally {
      cutOff.abort();
      await timer;
    }
  }

  async #renewOnce(signal: AbortSignal): Promise<void> {
    try {
      await this.#write(signal);
    } catch (error) {
      if (!isKubeError(error, 'CONFLICT', 'NOT_FOUND')) throw error;
      // Somebody else wrote it, or the answer to a write of ours was lost: look who holds it.
      await this.#requireHeld(signal);
      await this.#write(signal);
    }
  }

  async #write(signal: AbortSignal): Promise<void> {
    const { subject, clock } = this.#options;
    this.#lease = await writeLease(subject.client, claimedLease(subject, clock.now(), this.#lease), signal);
  }

  /** Reads the Lease again. **Errors** {@link LeaseLostError} when it is not ours. */
  async #requireHeld(signal: AbortSignal): Promise<void> {
    const { client, namespace, name, holder } = this.#options.subject;
    const found = await client.get(resources.leases, { namespace, name }, signal);
    if (found?.spec?.holderIdentity !== holder) throw new LeaseLostError('the Lease is held by somebody else or gone');
    this.#lease = found;
  }

  async #tryRelease(signal: AbortSignal): Promise<void> {
    const { subject, clock } = this.#options;
    await writeLease(subject.client, releasedLease(this.#lease, clock.now()), signal);
  }

  #leftMs(): number {
    const { clock, renewDeadlineMs } = this.#options;
    return Math.max(0, this.#renewedMs + renewDeadlineMs - clock.monotonicMs());
  }
}
