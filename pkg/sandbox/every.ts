import { setTimeout as sleep } from 'node:timers/promises';

/** Calls `action` every `intervalMs` milliseconds until disposed. */
export function every(intervalMs: number, action: () => void): AsyncDisposable {
  const stop = new AbortController();
  const loop = (async (): Promise<void> => {
    while (!stop.signal.aborted) {
      action();
      await sleep(intervalMs, undefined, { signal: stop.signal }).catch(() => undefined);
    }
  })();
  return {
    async [Symbol.asyncDispose]() {
      stop.abort();
      await loop;
    },
  };
}
