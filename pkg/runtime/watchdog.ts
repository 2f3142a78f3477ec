import type { Clock } from './clock.ts';

/** A stream said nothing for too long: its connection may be dead without our knowing. */
export class SilenceError extends Error {
  constructor(limitMs: number) {
    super(`nothing came for ${limitMs} ms`);
    this.name = 'SilenceError';
  }
}

/**
 * Passes a stream on, and cuts it when nothing comes for `limitMs`.
 * @param open dials; must end the stream when its signal aborts
 * **Errors** {@link SilenceError}, or the stream's own.
 */
export async function* withWatchdog<Item>(
  open: (signal: AbortSignal) => AsyncIterable<Item>,
  { clock, limitMs }: { readonly clock: Clock; readonly limitMs: number },
  signal: AbortSignal,
): AsyncGenerator<Item, void, undefined> {
  const dial = new AbortController();
  const ended = AbortSignal.any([signal, dial.signal]);
  let lastMs = clock.monotonicMs();
  void cutOnSilence({ lastMs: () => lastMs, clock, limitMs, dial }, ended);
  try {
    for await (const item of open(ended)) {
      lastMs = clock.monotonicMs();
      yield item;
    }
  } catch (error) {
    throw dial.signal.reason instanceof SilenceError ? dial.signal.reason : error;
  } finally {
    dial.abort();
  }
}

interface Silence {
  readonly lastMs: () => number;
  readonly clock: Clock;
  readonly limitMs: number;
  readonly dial: AbortController;
}

async function cutOnSilence({ lastMs, clock, limitMs, dial }: Silence, ended: AbortSignal): Promise<void> {
  while (!ended.aborted) {
    const leftMs = lastMs() + limitMs - clock.monotonicMs();
    if (leftMs <= 0) dial.abort(new SilenceError(limitMs));
    else await clock.sleep(leftMs, ended).catch(() => undefined);
  }
}
