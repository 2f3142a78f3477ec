/** How delays grow. */
export interface BackOffOptions {
  /** Delay after the first failure, in milliseconds, before jitter. */
  readonly firstMs: number;
  /** Longest delay before jitter. */
  readonly maxMs: number;
}

/**
 * The delay after the `failures`-th failure in a row (1 is the first): doubled each time up to the longest, then ± 50 %
 * so that many who failed together do not come back together.
 * @param random a number from 0 to below 1
 */
export function backOffMs({ firstMs, maxMs }: BackOffOptions, failures: number, random = Math.random()): number {
  // 2^30 is past every sensible longest delay, and keeps the product finite.
  const grown = Math.min(maxMs, firstMs * 2 ** Math.min(failures - 1, 30));
  return jitterMs(grown, 0.5, random);
}

/** `ms` ± `share` of it. */
export function jitterMs(ms: number, share: number, random = Math.random()): number {
  return ms * (1 - share + 2 * share * random);
}
