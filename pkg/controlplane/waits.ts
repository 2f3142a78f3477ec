import { isKubeError, type KubeError } from '#kube';
import {
  failedStep,
  runSteps,
  wait,
  type ReconcileContext,
  type Steps,
  type StepsRun,
  type WaitResult,
} from '#runtime';
import type { ConditionReason } from './condition-reasons.ts';
import type { Ensured } from './ensure.ts';

/** How soon to look again where only somebody else can end the wait and no watch tells of it. */
export const retryMs = 5000;

/** A wait whose reason is one of the documented ones (`condition-reasons.ts`). @param afterMs look again after; default: on a change */
export function waitFor(reason: ConditionReason, message: string, afterMs?: number): WaitResult {
  return wait(reason, message, afterMs);
}

/** The wait of the first object that could not be made so; undefined if all could. */
export function firstBlocked(...ensured: readonly Ensured<unknown>[]): WaitResult | undefined {
  const blocked = ensured.find((one) => one.state === 'blocked');
  return blocked?.state === 'blocked' ? waitFor(blocked.reason, blocked.message, retryMs) : undefined;
}

/** A run of steps, and the error that ended it where that has to reach the controller's loop all the same. */
export interface ExplainedRun extends StepsRun {
  /** To be thrown once the status is written. */
  readonly failure?: Error;
}

/**
 * Runs steps, and turns what ends them into a wait that a person can read in a condition. Refusals by the super cluster
 * (403, 422) are only that: asking again at once cannot help. An error that nobody foresaw is told as well, without its
 * words, and handed on for the loop to log, count and back off.
 *
 * **Errors** all other errors of requests come out as they are: they pass, or the status could not be written either.
 */
export async function runOrExplain<S>(steps: Steps<S>, scope: S, context: ReconcileContext): Promise<ExplainedRun> {
  try {
    return await runSteps(steps, scope, context);
  } catch (error) {
    const step = failedStep(error) ?? 'unknown';
    if (isKubeError(error, 'FORBIDDEN', 'INVALID')) return refused(step, error, context);
    if (isKubeError(error) || context.signal.aborted) throw error;
    // The same words each time: other ones would be a change of the status, and so wake the controller at once.
    const message = `step ${step} met an error that nobody foresaw; it is tried again, and the manager's log has it`;
    return { step, result: waitFor('InternalError', message), failure: asError(error) };
  }
}

function refused(step: string, error: KubeError, { logger }: ReconcileContext): ExplainedRun {
  const reason = error.code === 'FORBIDDEN' ? 'Forbidden' : 'Rejected';
  logger.warn({ error, step }, 'Super cluster refused a request');
  return { step, result: waitFor(reason, error.message, 30_000) };
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error('something that is no error was thrown', { cause: thrown });
}
