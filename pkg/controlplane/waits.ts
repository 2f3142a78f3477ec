import { isKubeError } from '#kube';
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

/**
 * Runs steps, and turns refusals by the super cluster (403, 422) into waits: they are for a person to read in a
 * condition, and asking again at once cannot help. All other errors come out as they are.
 */
export async function runOrExplain<S>(steps: Steps<S>, scope: S, context: ReconcileContext): Promise<StepsRun> {
  try {
    return await runSteps(steps, scope, context);
  } catch (error) {
    if (!isKubeError(error, 'FORBIDDEN', 'INVALID')) throw error;
    const reason = error.code === 'FORBIDDEN' ? 'Forbidden' : 'Rejected';
    context.logger.warn({ error }, 'Super cluster refused a request');
    return { step: failedStep(error) ?? 'unknown', result: waitFor(reason, error.message, 30_000) };
  }
}
