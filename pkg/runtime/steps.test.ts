import { expect, it } from 'vitest';
import { createLogger } from '#observe';
import type { ReconcileContext } from './reconcile.ts';
import { failedStep, nextRun, proceed, runSteps, type Steps, stop, wait } from './steps.ts';

interface Scope {
  readonly ran: string[];
}

function context(extra: Partial<ReconcileContext> = {}): ReconcileContext {
  const logger = createLogger({ name: 'test', level: 'silent' });
  return { logger, signal: new AbortController().signal, reconcileId: 'id', ...extra };
}

const first = ({ ran }: Scope) => {
  ran.push('first');
  return proceed();
};
const never = () => {
  throw new Error('ran too far');
};

it('runs in order until a step does not go on', async () => {
  const waits = () => wait('EtcdNotReady', 'waiting for etcd', 500);
  const ran: string[] = [];
  const run = await runSteps({ first, waits, never } satisfies Steps<Scope>, { ran }, context());
  expect(ran).toEqual(['first']);
  expect(run.step).toBe('waits');
  expect(run.result).toEqual({ next: 'wait', reason: 'EtcdNotReady', message: 'waiting for etcd', afterMs: 500 });
  expect(nextRun(run)).toEqual({ next: 'again', afterMs: 500 });
});

it('says what the last step said when all go on', async () => {
  expect(await runSteps({ first }, { ran: [] }, context())).toEqual({ step: 'first', result: { next: 'continue' } });
});

it('is done after a stop, and after a wait for a change', () => {
  expect(nextRun({ step: 'a', result: stop() })).toEqual({ next: 'done' });
  expect(nextRun({ step: 'a', result: wait('X', 'x') })).toEqual({ next: 'done' });
});

it('lets errors out as they are, and tells the step', async () => {
  const error = new Error('x');
  const fails = () => Promise.reject(error);
  await expect(runSteps({ first, fails }, { ran: [] }, context())).rejects.toBe(error);
  expect(failedStep(error)).toBe('fails');
  expect(failedStep(new Error('x'))).toBeUndefined();
});

it('runs no step after the signal', async () => {
  const ran: string[] = [];
  await expect(runSteps({ first }, { ran }, context({ signal: AbortSignal.abort() }))).rejects.toThrow();
  expect(ran).toEqual([]);
});

it('tells the time of each step', async () => {
  const told: string[] = [];
  await runSteps({ first, second: first }, { ran: [] }, context({ onStep: (step) => void told.push(step) }));
  expect(told).toEqual(['first', 'second']);
});
