import { expect, it } from 'vitest';
import { nearNames } from './near-names.ts';

it('finds typing mistakes and beginnings, nearest first', () => {
  expect(nearNames('tem-a', ['team-b', 'web', 'team-a', 'production'])).toEqual(['team-a', 'team-b']);
  expect(nearNames('prod', ['production', 'team-a'])).toEqual(['production']);
});

it('names nothing that is far away, and three at most', () => {
  expect(nearNames('x', ['team-a'])).toEqual([]);
  expect(nearNames('a', ['a1', 'a2', 'a3', 'a4'])).toEqual(['a1', 'a2', 'a3']);
});
