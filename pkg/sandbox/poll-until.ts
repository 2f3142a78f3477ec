import { setTimeout as sleep } from 'node:timers/promises';

export interface PollOptions {
  /** What is waited for, for the message. */
  readonly what: string;
  /** Milliseconds; default 60,000. */
  readonly timeoutMs?: number;
  /** Milliseconds between two tries; default 100. */
  readonly intervalMs?: number;
}

/**
 * Calls `attempt` until it answers something else than `undefined`, and returns that.
 *
 * **Errors** when the time is over, when `attempt` throws, or when `signal` is aborted.
 */
export async function pollUntil<T>(
  attempt: () => Promise<T | undefined> | T | undefined,
  options: PollOptions,
  signal: AbortSignal,
): Promise<T> {
  const { what, timeoutMs = 60_000, intervalMs = 100 } = options;
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    signal.throwIfAborted();
    const answer = await attempt();
    if (answer !== undefined) return answer;
    if (performance.now() > deadline) throw new Error(`${what}: not so after ${Math.round(timeoutMs / 1000)} s`);
    await sleep(intervalMs, undefined, { signal });
  }
}
