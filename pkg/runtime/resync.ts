import { type KubeObject, formatKey, keyOf } from '#kube';
import { jitterMs } from './back-off.ts';
import type { Clock } from './clock.ts';

interface ResyncOptions {
  readonly objects: () => readonly KubeObject[];
  readonly add: (key: string, afterMs: number) => void;
  readonly resyncMs: number;
  readonly clock: Clock;
}

/**
 * Adds every key again each `resyncMs` ± 10 %, spread over a tenth of that time, so that what no event told is repaired
 * and load stays level. Resolves when `signal` aborts.
 */
export async function runResync({ objects, add, resyncMs, clock }: ResyncOptions, signal: AbortSignal): Promise<void> {
  for (;;) {
    await clock.sleep(jitterMs(resyncMs, 0.1), signal).catch(() => undefined);
    if (signal.aborted) return;
    for (const object of objects()) add(formatKey(keyOf(object)), Math.random() * resyncMs * 0.1);
  }
}
