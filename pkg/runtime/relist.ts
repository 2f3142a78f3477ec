import type { relistReasons } from '#observe';
import { isKubeError } from '#kube';
import { SilenceError } from './watchdog.ts';

export type RelistReason = (typeof relistReasons)[number];

/** The server knows less than it told us before, as after a restore from a backup. */
export class HistoryError extends Error {
  constructor(seen: string, now: string) {
    super(`the server's resourceVersion went back from ${seen} to ${now}`);
    this.name = 'HistoryError';
  }
}

/**
 * Why a failed watch cannot go on from where it was; `undefined` if it can.
 *
 * Silence counts too: a dead connection looks just like a watch from a resourceVersion that the server has yet to reach,
 * which it answers with 200 and nothing.
 */
export function relistReason(error: unknown): RelistReason | undefined {
  if (error instanceof HistoryError) return 'backwards';
  if (error instanceof SilenceError) return 'silent';
  if (isKubeError(error, 'EXPIRED')) return 'expired';
  const isTooLarge = isKubeError(error) && error.causes.some(({ reason }) => reason === 'ResourceVersionTooLarge');
  return isTooLarge ? 'backwards' : undefined;
}
