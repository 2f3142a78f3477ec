import type { Clock } from './clock.ts';

interface Waiting {
  readonly dueMs: number;
  readonly cancel: AbortController;
}

/** Keys that are due at a later time, each at most once. */
export class DelayedKeys {
  readonly #clock: Clock;
  readonly #onDue: (key: string) => void;
  readonly #waiting = new Map<string, Waiting>();

  constructor(clock: Clock, onDue: (key: string) => void) {
    this.#clock = clock;
    this.#onDue = onDue;
  }

  /** Has the key due after `afterMs`; if it is due earlier already, nothing changes. */
  add(key: string, afterMs: number): void {
    const dueMs = this.#clock.monotonicMs() + afterMs;
    if ((this.#waiting.get(key)?.dueMs ?? Infinity) <= dueMs) return;
    this.cancel(key);
    const cancel = new AbortController();
    this.#waiting.set(key, { dueMs, cancel });
    this.#clock.sleep(afterMs, cancel.signal).then(
      () => this.#becomeDue(key, cancel),
      () => undefined,
    );
  }

  cancel(key: string): void {
    this.#waiting.get(key)?.cancel.abort();
    this.#waiting.delete(key);
  }

  clear(): void {
    for (const key of this.#waiting.keys()) this.cancel(key);
  }

  /** A sleep that ended in the moment of its cancellation does not count. */
  #becomeDue(key: string, cancel: AbortController): void {
    if (this.#waiting.get(key)?.cancel !== cancel) return;
    this.#waiting.delete(key);
    this.#onDue(key);
  }
}
