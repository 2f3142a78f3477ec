import { expect, test } from 'vitest';
import { parseStat } from './process-identity.ts';

test('a name with blanks and brackets does not shift the fields', () => {
  const rest = ['S', ...Array.from({ length: 18 }, (_, index) => String(index)), '4711', '0'].join(' ');
  expect(parseStat(`42 (a) b (c) ${rest}`)).toEqual({ pid: 42, state: 'S', startTime: '4711' });
});
