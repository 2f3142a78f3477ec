import { describe, expect, it } from 'vitest';
import { KubeError } from '#kube';
import { createLogger } from '#observe';
import { proceed } from '#runtime';
import { runOrExplain } from './waits.ts';

const context = {
  logger: createLogger({ name: 'test', level: 'silent' }),
  signal: new AbortController().signal,
  reconcileId: 'id-1',
};

const failing = (error: Error) => ({
  first: () => proceed(),
  second: () => {
    throw error;
  },
});

describe('a run that ends in an error', () => {
  it.each([
    ['FORBIDDEN', 'Forbidden'],
    ['INVALID', 'Rejected'],
  ] as const)('tells a refusal (%s) as a wait for %s', async (code, reason) => {
    const run = await runOrExplain(failing(new KubeError('spec.x is bad', { code })), {}, context);
    expect(run).toMatchObject({ step: 'second', result: { next: 'wait', reason, message: 'spec.x is bad' } });
    expect(run.failure).toBeUndefined();
  });

  it('tells a bug without its words, and hands it on', async () => {
    const bug = new Error('the key is hunter2');
    const run = await runOrExplain(failing(bug), {}, context);
    expect(run).toMatchObject({ step: 'second', result: { next: 'wait', reason: 'InternalError' } });
    expect(JSON.stringify(run.result)).not.toContain(context.reconcileId);
    expect(JSON.stringify(run.result)).not.toContain('hunter2');
    expect(run.failure).toBe(bug);
  });

  it('lets errors pass that pass by themselves, and the shutdown', async () => {
    const away = new KubeError('no answer', { code: 'UNAVAILABLE' });
    await expect(runOrExplain(failing(away), {}, context)).rejects.toBe(away);
    const stopped = { ...context, signal: AbortSignal.abort() };
    await expect(runOrExplain(failing(new Error('x')), {}, stopped)).rejects.toThrow();
  });
});
