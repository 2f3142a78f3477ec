import { expect, test } from 'vitest';
import { findCondition, formatMicroTime, formatTime, isTrue, setCondition } from './conditions.ts';

const first = new Date('2026-01-01T00:00:00.123Z');
const later = new Date('2026-01-01T01:00:00.456Z');
const ready = { type: 'Ready', status: 'False', reason: 'WaitingForEtcd', message: '', observedGeneration: 1 } as const;

test('lastTransitionTime moves only when the status does', () => {
  const before = setCondition(undefined, ready, first);
  expect(before).toEqual([{ ...ready, lastTransitionTime: '2026-01-01T00:00:00Z' }]);
  const same = setCondition(before, { ...ready, reason: 'WaitingForStorage', observedGeneration: 2 }, later);
  expect(same[0]).toMatchObject({ reason: 'WaitingForStorage', observedGeneration: 2 });
  expect(same[0]?.lastTransitionTime).toBe('2026-01-01T00:00:00Z');
  const turned = setCondition(same, { ...ready, status: 'True', reason: 'Ready' }, later);
  expect(turned[0]?.lastTransitionTime).toBe('2026-01-01T01:00:00Z');
});

test('other conditions keep their place, and the given list is not changed', () => {
  const list = setCondition(setCondition([], ready, first), { ...ready, type: 'Other' }, first);
  const next = setCondition(list, { ...ready, status: 'True' }, later);
  expect(next.map(({ type }) => type)).toEqual(['Ready', 'Other']);
  expect(list[0]?.status).toBe('False');
});

test('setting what is there already gives an equal list', () => {
  const list = setCondition([], ready, first);
  expect(setCondition(list, ready, later)).toEqual(list);
});

test('find and isTrue', () => {
  const list = setCondition([], { ...ready, status: 'True' }, first);
  expect(isTrue(list, 'Ready')).toBe(true);
  expect(isTrue(setCondition([], ready, first), 'Ready')).toBe(false);
  expect(isTrue(undefined, 'Ready')).toBe(false);
  expect(findCondition(list, 'Absent')).toBeUndefined();
});

test('times are written as the API server writes them', () => {
  expect(formatTime(first)).toBe('2026-01-01T00:00:00Z');
  expect(formatMicroTime(first)).toBe('2026-01-01T00:00:00.123000Z');
});
