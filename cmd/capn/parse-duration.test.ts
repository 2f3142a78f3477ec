import { expect, it } from 'vitest';
import { parseDuration } from './parse-duration.ts';

it.each([
  ['90s', 90_000],
  ['5m', 300_000],
  ['1h30m', 5_400_000],
  ['0s', 0],
])('reads %s', (text, ms) => {
  expect(parseDuration(text)).toBe(ms);
});

it.each(['', '5', 'm', '5 m', '-5m', '1d', '1.5h'])('refuses %j', (text) => {
  expect(() => parseDuration(text)).toThrow(/number with a unit/);
});
