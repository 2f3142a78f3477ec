import type { Logger } from '#observe';

/** What a reconcile gets besides the key. */
export interface ReconcileContext {
  /** Carries controller, key and reconcileId already. */
  readonly logger: Logger;
  /** Aborts at shutdown and when the Lease is lost. */
  readonly signal: AbortSignal;
  /** Tells the lines of one run from those of another. */
  readonly reconcileId: string;
  /** Told the time of each step, for metrics; set by the controller loop. */
  readonly onStep?: (step: string, durationMs: number) => void;
}

/** When a key is looked at next: at the next change (or resync), or after a time. */
export type ReconcileResult = { readonly next: 'done' } | { readonly next: 'again'; readonly afterMs: number };

/** Nothing is left to do until something changes. */
export function done(): ReconcileResult {
  return { next: 'done' };
}

/** Look again after `afterMs` milliseconds, or earlier should something change. */
export function again(afterMs: number): ReconcileResult {
  return { next: 'again', afterMs };
}
