import { setTimeout as delay } from 'node:timers/promises';

/** Time as something passed in, so that tests can hold it still. */
export interface Clock {
  /** Wall time: for what people and other machines read. It may jump. */
  now(): Date;
  /** Milliseconds since some fixed moment; never goes back. For durations and deadlines. */
  monotonicMs(): number;
  /** Waits. **Errors** rejects when `signal` aborts, whatever is left to wait. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/** The machine's clock. */
export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
  sleep: async (ms, signal) => await delay(ms, undefined, { signal }),
};
