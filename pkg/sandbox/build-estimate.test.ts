import { expect, test } from 'vitest';
import { Estimate } from './build-estimate.ts';

test('the estimate follows the pace that was seen, and never claims to be done', () => {
  let nowMs = 0;
  const estimate = new Estimate(100, () => nowMs);
  expect(estimate.now()).toEqual({ fraction: 0, etaSeconds: 100 });
  nowMs = 20_000;
  expect(estimate.now()).toEqual({ fraction: 0.2, etaSeconds: 80 });
  nowMs = 100_000;
  estimate.finished(50); // twice as slow as the table says
  expect(estimate.now()).toEqual({ fraction: 0.5, etaSeconds: 100 });
  nowMs = 10_000_000;
  expect(estimate.now().fraction).toBe(0.99);
  expect(estimate.now().etaSeconds).toBeGreaterThan(0);
});
