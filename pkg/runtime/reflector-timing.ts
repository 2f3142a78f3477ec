import type { BackOffOptions } from './back-off.ts';

/** How patient a reflector is, in milliseconds where not said otherwise. */
export interface ReflectorTiming {
  /** Silence after which a watch is given up; bookmarks come about once a minute. */
  readonly silenceMs: number;
  /** The same while the first objects are read. */
  readonly firstSilenceMs: number;
  /** Seconds after which the server closes a watch: a random number between the two. */
  readonly watchSeconds: readonly [number, number];
  readonly backOff: BackOffOptions;
}

export const defaultTiming: ReflectorTiming = {
  silenceMs: 150_000,
  firstSilenceMs: 30_000,
  watchSeconds: [300, 600],
  backOff: { firstMs: 800, maxMs: 30_000 },
};
