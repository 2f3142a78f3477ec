import { setImmediate } from 'node:timers/promises';
import PQueue from 'p-queue';
import type { Logger, Metrics } from '#observe';
import { type BackOffOptions, backOffMs } from './back-off.ts';
import type { Clock } from './clock.ts';
import { DelayedKeys } from './delayed-keys.ts';
import { untilAborted } from './until-aborted.ts';

/** Milliseconds that work in flight has to end in after the signal. */
const drainMs = 4000;

/** What work asks for: another run after a time, or after a delay that grows while it keeps asking. */
export type RunAgain =
  | { readonly again: 'after'; readonly afterMs: number }
  | {
      readonly again: 'backOff';
      /** First delay; default that of the queue. */
      readonly firstMs?: number;
      /** Shortest delay, such as a server's Retry-After. */
      readonly atLeastMs?: number;
    };

/** Works on one key. Should stop when `signal` aborts. Nothing returned: done, and earlier failures are forgotten. */
export type Work = (key: string, signal: AbortSignal) => Promise<RunAgain | undefined>;

export interface WorkQueueOptions {
  /** Names metrics. */
  readonly name: string;
  /** Keys worked on at the same time. */
  readonly concurrency: number;
  readonly clock: Clock;
  /** Default: 100 ms doubling up to 5 min. */
  readonly backOff?: BackOffOptions;
  readonly logger?: Logger;
  readonly metrics?: Metrics;
}

export interface WorkQueue {
  /**
   * Adds a key, or moves it earlier if it waits for later. A key being worked on runs once more afterwards.
   * @param afterMs milliseconds from now; default 0
   * **Guarantees** one run a key at a time; any number of adds before a run make one run.
   */
  add(key: string, afterMs?: number): void;
  /**
   * Works until `signal` aborts; keys added before wait until then. Ends when the work in flight has ended.
   * **Errors** rejects, naming the keys, when work in flight has not ended 4 s after the signal.
   */
  run(signal: AbortSignal): Promise<void>;
}

/** Makes a queue of keys to work on, each by `work`. Work that throws is logged, counted as a panic and backed off. */
export function createWorkQueue(options: WorkQueueOptions, work: Work): WorkQueue {
  return new KeyedQueue(options, work);
}

class KeyedQueue implements WorkQueue {
  readonly #options: WorkQueueOptions;
  readonly #backOff: BackOffOptions;
  readonly #work: Work;
  readonly #executor: PQueue;
  readonly #delayed: DelayedKeys;
  /** Keys that wait for their turn, with the moment since when. */
  readonly #due = new Map<string, number>();
  readonly #running = new Set<string>();
  /** Running keys that were added meanwhile. */
  readonly #dirty = new Set<string>();
  readonly #failures = new Map<string, number>();
  #signal = AbortSignal.abort();

  constructor(options: WorkQueueOptions, work: Work) {
    this.#options = options;
    this.#backOff = options.backOff ?? { firstMs: 100, maxMs: 300_000 };
    this.#work = work;
    this.#executor = new PQueue({ concurrency: options.concurrency, autoStart: false });
    this.#delayed = new DelayedKeys(options.clock, (key) => this.add(key));
    options.metrics?.onCollect(() => options.metrics?.queueDepth.set({ queue: options.name }, this.#due.size));
  }

  add(key: string, afterMs = 0): void {
    if (this.#due.has(key)) return;
    if (afterMs > 0) return this.#delayed.add(key, afterMs);
    this.#delayed.cancel(key);
    if (this.#running.has(key)) this.#dirty.add(key);
    else this.#enqueue(key);
  }

  async run(signal: AbortSignal): Promise<void> {
    this.#signal = signal;
    this.#executor.start();
    await untilAborted(signal);
    this.#executor.pause();
    this.#executor.clear();
    this.#delayed.clear();
    await this.#drain();
  }

  #enqueue(key: string): void {
    const { clock, metrics, name } = this.#options;
    this.#due.set(key, clock.monotonicMs());
    metrics?.queueAdds.inc({ queue: name });
    // Rejects only when the queue is cleared at shutdown: the work's own errors are caught.
    this.#executor.add(async () => await this.#takeTurn(key)).catch(() => undefined);
  }

  /** The executor calls at once when idle, but what is added in this same turn of the event loop is to be one run. */
  async #takeTurn(key: string): Promise<void> {
    await setImmediate();
    if (!this.#signal.aborted) await this.#runOnce(key);
  }

  async #runOnce(key: string): Promise<void> {
    this.#begin(key);
    const wish = await this.#workOn(key);
    this.#running.delete(key);
    if (this.#signal.aborted) return;
    this.#putBack(key, wish);
    if (this.#dirty.delete(key)) this.add(key);
  }

  #begin(key: string): void {
    const { clock, metrics, name } = this.#options;
    const since = this.#due.get(key) ?? clock.monotonicMs();
    metrics?.queueWait.observe({ queue: name }, (clock.monotonicMs() - since) / 1000);
    this.#due.delete(key);
    this.#running.add(key);
  }

  async #workOn(key: string): Promise<RunAgain | undefined> {
    try {
      return await this.#work(key, this.#signal);
    } catch (error) {
      this.#options.logger?.error({ error, queue: this.#options.name, queueKey: key }, 'Work threw');
      this.#options.metrics?.panics.inc({ where: 'queue' });
      return { again: 'backOff' };
    }
  }

  #putBack(key: string, wish: RunAgain | undefined): void {
    if (wish?.again !== 'backOff') this.#failures.delete(key);
    if (wish === undefined) return;
    this.add(key, wish.again === 'after' ? wish.afterMs : this.#nextDelayMs(key, wish));
  }

  #nextDelayMs(key: string, wish: Extract<RunAgain, { again: 'backOff' }>): number {
    this.#options.metrics?.queueRetries.inc({ queue: this.#options.name });
    const failures = (this.#failures.get(key) ?? 0) + 1;
    this.#failures.set(key, failures);
    const { firstMs, maxMs } = this.#backOff;
    return Math.max(wish.atLeastMs ?? 0, backOffMs({ firstMs: wish.firstMs ?? firstMs, maxMs }, failures));
  }

  async #drain(): Promise<void> {
    const inTime = new AbortController();
    const late = this.#options.clock.sleep(drainMs, inTime.signal).catch(() => undefined);
    await Promise.race([this.#executor.onIdle(), late]);
    inTime.abort();
    if (this.#running.size === 0) return;
    const keys = [...this.#running].join(', ');
    throw new Error(`queue ${this.#options.name}: work did not end within ${drainMs} ms of the signal: ${keys}`);
  }
}
