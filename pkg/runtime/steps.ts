import { again, done, type ReconcileContext, type ReconcileResult } from './reconcile.ts';

/**
 * What a step of a reconcile answers: go on, wait for something outside (said in words that go into a condition), or
 * stop because nothing is left to do. Only failure is an error.
 */
export type StepResult = { readonly next: 'continue' } | WaitResult | { readonly next: 'stop' };

/** A wait, with the words that go into a condition. */
export interface WaitResult {
  readonly next: 'wait';
  readonly reason: string;
  readonly message: string;
  readonly afterMs?: number;
}

/** Named steps over a scope that they fill, run in the order they are written in. */
export type Steps<S> = Readonly<
  Record<string, (scope: S, context: ReconcileContext) => Promise<StepResult> | StepResult>
>;

/** The last step that ran, and what it answered. */
export interface StepsRun {
  readonly step: string;
  readonly result: StepResult;
}

/** Go on with the next step. */
export function proceed(): StepResult {
  return { next: 'continue' };
}

/**
 * Wait, and run no further step.
 * @param reason UpperCamel word for a condition
 * @param message sentence for people: what is waited for
 * @param afterMs milliseconds after which to look again; without it the wait ends when something changes
 */
export function wait(reason: string, message: string, afterMs?: number): WaitResult {
  return afterMs === undefined ? { next: 'wait', reason, message } : { next: 'wait', reason, message, afterMs };
}

/** Nothing is left to do: run no further step. */
export function stop(): StepResult {
  return { next: 'stop' };
}

const failedSteps = new WeakMap<object, string>();

/**
 * Runs steps one after the other until one answers other than `continue`.
 *
 * **Errors** a step's error comes out as it is; {@link failedStep} tells which step it came from. Stops between two steps
 * when the context's signal aborts.
 */
export async function runSteps<S>(steps: Steps<S>, scope: S, context: ReconcileContext): Promise<StepsRun> {
  let last: StepsRun = { step: 'none', result: proceed() };
  for (const step of Object.keys(steps)) {
    context.signal.throwIfAborted();
    last = { step, result: await runStep(steps, { step, scope }, context) };
    if (last.result.next !== 'continue') break;
  }
  return last;
}

/** The step that `error` came out of, if it came out of {@link runSteps}. */
export function failedStep(error: unknown): string | undefined {
  return typeof error === 'object' && error !== null ? failedSteps.get(error) : undefined;
}

/** When to look again after steps ended so: a wait with a time asks for that, all else waits for a change. */
export function nextRun({ result }: StepsRun): ReconcileResult {
  return result.next === 'wait' && result.afterMs !== undefined ? again(result.afterMs) : done();
}

async function runStep<S>(
  steps: Steps<S>,
  { step, scope }: { readonly step: string; readonly scope: S },
  context: ReconcileContext,
): Promise<StepResult> {
  const startedMs = performance.now();
  try {
    const result = (await steps[step]?.(scope, context)) ?? proceed();
    context.logger.debug({ step, ...result }, 'Ran step');
    return result;
  } catch (error) {
    if (typeof error === 'object' && error !== null) failedSteps.set(error, step);
    throw error;
  } finally {
    context.onStep?.(step, performance.now() - startedMs);
  }
}
