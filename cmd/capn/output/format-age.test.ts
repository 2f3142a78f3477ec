import { expect, it } from 'vitest';
import { formatAge } from './format-age.ts';

const now = new Date('2026-11-30T12:00:00Z');

it.each([
  ['2026-11-30T12:00:00Z', '0s'],
  ['2026-11-30T11:58:01Z', '119s'],
  ['2026-11-30T11:58:00Z', '2m'],
  ['2026-11-30T10:00:00Z', '2h'],
  ['2026-11-28T12:00:00Z', '2d'],
  ['2026-11-30T12:00:05Z', '0s'],
  [undefined, '?'],
  ['yesterday', '?'],
])('says how long ago %s was', (timestamp, text) => {
  expect(formatAge(timestamp, now)).toBe(text);
});
