import { expect, it } from 'vitest';
import { backOffMs } from './back-off.ts';

const options = { firstMs: 100, maxMs: 1000 };

it('doubles up to the longest delay', () => {
  expect([1, 2, 3, 4, 5, 1000].map((failures) => backOffMs(options, failures, 0.5))).toEqual([
    100, 200, 400, 800, 1000, 1000,
  ]);
});

it('spreads by half to both sides', () => {
  expect(backOffMs(options, 1, 0)).toBe(50);
  expect(backOffMs(options, 1, 0.999)).toBeCloseTo(150, 0);
});
