import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLogger, createMetrics } from '#observe';
import { ManualClock, settle } from '../../test/fixtures/manual-clock.ts';
import { createWorkQueue, type RunAgain, type Work, type WorkQueue } from './work-queue.ts';

describe('work queue', () => {
  let clock: ManualClock;
  let ending: AbortController;
  let runs: string[];
  let gates: (() => void)[];
  let answers: (RunAgain | undefined)[];
  const metrics = createMetrics();

  beforeEach(() => {
    clock = new ManualClock();
    ending = new AbortController();
    runs = [];
    gates = [];
    answers = [];
  });

  afterEach(() => vi.restoreAllMocks());

  function start(work: Work, concurrency = 2): { queue: WorkQueue; ended: Promise<void> } {
    const backOff = { firstMs: 100, maxMs: 1000 };
    const logger = createLogger({ name: 'test', level: 'silent' });
    const queue = createWorkQueue({ name: 'test', concurrency, clock, backOff, logger, metrics }, work);
    return { queue, ended: queue.run(ending.signal) };
  }

  /** Notes the run and answers with what the test prepared. */
  const note: Work = async (key) => {
    runs.push(key);
    return await Promise.resolve(answers.shift());
  };

  /** Notes the run and stays in it until the test opens the gate. */
  const gated: Work = async (key) => {
    runs.push(key);
    await new Promise<void>((resolve) => gates.push(resolve));
    return undefined;
  };

  it('makes one run of any number of adds', async () => {
    const queue = createWorkQueue({ name: 'test', concurrency: 1, clock }, note);
    for (let count = 0; count < 5; count++) queue.add('a');
    await settle();
    expect(runs).toEqual([]);
    void queue.run(ending.signal);
    await settle();
    expect(runs).toEqual(['a']);
  });

  it('makes one run of adds in the same turn of the event loop, also when idle', async () => {
    const { queue } = start(note);
    queue.add('a');
    queue.add('a');
    await settle();
    expect(runs).toEqual(['a']);
  });

  it('never runs a key twice at once, and once more if it was added meanwhile', async () => {
    const { queue } = start(gated);
    queue.add('a');
    await settle();
    queue.add('a');
    queue.add('a');
    await settle();
    expect(runs).toEqual(['a']);
    gates.shift()?.();
    await settle();
    expect(runs).toEqual(['a', 'a']);
    gates.shift()?.();
    await settle();
    expect(runs).toEqual(['a', 'a']);
  });

  it('works on as many keys at once as it may', async () => {
    const { queue } = start(gated, 2);
    for (const key of ['a', 'b', 'c']) queue.add(key);
    await settle();
    expect(runs).toEqual(['a', 'b']);
    gates.shift()?.();
    await settle();
    expect(runs).toEqual(['a', 'b', 'c']);
  });

  it('delays a key, by the earliest of its delays', async () => {
    const { queue } = start(note);
    queue.add('a', 500);
    queue.add('a', 300);
    queue.add('a', 900);
    await clock.advance(299);
    expect(runs).toEqual([]);
    await clock.advance(1);
    expect(runs).toEqual(['a']);
    await clock.advance(1000);
    expect(runs).toEqual(['a']);
  });

  it('moves a delayed key up when it is added for now', async () => {
    const { queue } = start(note);
    queue.add('a', 500);
    queue.add('a');
    await settle();
    expect(runs).toEqual(['a']);
    await clock.advance(1000);
    expect(runs).toEqual(['a']);
  });

  it('runs again after the time that work asks for', async () => {
    answers = [{ again: 'after', afterMs: 200 }];
    const { queue } = start(note);
    queue.add('a');
    await clock.advance(199);
    expect(runs).toHaveLength(1);
    await clock.advance(1);
    expect(runs).toHaveLength(2);
  });

  it('backs off more and more, and forgets that after a run that went well', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0.5);
    answers = [{ again: 'backOff' }, { again: 'backOff' }, undefined, { again: 'backOff' }];
    const { queue } = start(note);
    const runsAfter = async (ms: number): Promise<number> => {
      await clock.advance(ms);
      return runs.length;
    };
    queue.add('a');
    expect(await runsAfter(99)).toBe(1);
    expect(await runsAfter(1)).toBe(2);
    expect(await runsAfter(199)).toBe(2);
    expect(await runsAfter(1)).toBe(3);
    queue.add('a');
    expect(await runsAfter(99)).toBe(4);
    expect(await runsAfter(1)).toBe(5);
  });

  it('waits at least as long as asked', async () => {
    answers = [{ again: 'backOff', atLeastMs: 5000 }];
    const { queue } = start(note);
    queue.add('a');
    await clock.advance(4999);
    expect(runs).toHaveLength(1);
    await clock.advance(1);
    expect(runs).toHaveLength(2);
  });

  it('survives work that throws: counts it and backs off', async () => {
    let failures = 0;
    const { queue } = start(async (key) => {
      runs.push(key);
      failures++;
      if (failures === 1) throw new Error('a bug');
      return await Promise.resolve(undefined);
    });
    queue.add('a');
    await clock.advance(150);
    expect(runs).toEqual(['a', 'a']);
    expect(await metrics.text()).toContain('capn_panics_total{where="queue"} 1');
  });

  it('waits for work in flight when it ends, and starts nothing more', async () => {
    const { queue, ended } = start(gated, 1);
    queue.add('a');
    queue.add('b');
    queue.add('c', 10);
    await settle();
    let hasEnded = false;
    void ended.then(() => (hasEnded = true));
    ending.abort();
    await settle();
    expect(hasEnded).toBe(false);
    gates.shift()?.();
    await ended;
    await clock.advance(1000);
    expect(runs).toEqual(['a']);
  });

  it('names the work that does not end', async () => {
    const { queue, ended } = start(gated);
    queue.add('a');
    await settle();
    ending.abort();
    const failure = ended.catch((error: unknown) => error);
    await settle();
    await clock.advance(4000);
    expect(String(await failure)).toMatch(/did not end within 4000 ms of the signal: a/);
  });
});
