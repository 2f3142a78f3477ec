import type { reconcileResults } from '#observe';
import { isKubeError, type KubeError } from '#kube';
import type { RunAgain } from './work-queue.ts';

/** First delay after a lost race; it grows like any other should the race be lost again and again. */
const soonMs = 20;

/** What the loop does about a failed reconcile. */
export interface Judgement {
  readonly result: Extract<(typeof reconcileResults)[number], 'soon' | 'backOff' | 'onChange' | 'silent' | 'panic'>;
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly message: string;
  readonly again?: RunAgain;
}

/**
 * What an error asks of the loop: a KubeError says so itself (`retry`), what an aborted `signal` brought about is
 * silent, and anything else is a bug of ours.
 */
export function judgeFailure(error: unknown, signal: AbortSignal): Judgement {
  if (isKubeError(error)) return judgements[error.retry](error, signal);
  if (signal.aborted && isAbort(error, signal)) return silent;
  return { result: 'panic', level: 'error', message: 'Reconciling failed by a bug', again: { again: 'backOff' } };
}

const silent: Judgement = { result: 'silent', level: 'debug', message: 'Reconciling ended by the shutdown' };

const judgements: Readonly<Record<KubeError['retry'], (error: KubeError, signal: AbortSignal) => Judgement>> = {
  soon: () => ({
    result: 'soon',
    level: 'debug',
    message: 'Reconciling lost a race, trying again',
    again: { again: 'backOff', firstMs: soonMs },
  }),
  backOff,
  onChange: () => ({
    result: 'onChange',
    level: 'warn',
    message: 'Reconciling cannot go on until something changes',
  }),
  // Aborted by somebody other than the shutdown, such as a deadline of its own: that must not lose the key.
  silent: (error, signal) => (signal.aborted ? silent : backOff(error)),
};

function backOff({ retryAfterSeconds = 0 }: KubeError): Judgement {
  const again = { again: 'backOff', atLeastMs: retryAfterSeconds * 1000 } as const;
  return { result: 'backOff', level: 'warn', message: 'Reconciling failed, trying again later', again };
}

function isAbort(error: unknown, signal: AbortSignal): boolean {
  return error === signal.reason || (error instanceof Error && error.name === 'AbortError');
}
