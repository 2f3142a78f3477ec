import { expect, it } from 'vitest';
import { newestOf } from './pod-warnings.ts';

it('finds the newest event, whichever way its time is given', () => {
  const events = [
    { metadata: {}, reason: 'Old', deprecatedLastTimestamp: '2026-11-30T12:00:01Z', eventTime: null },
    {
      metadata: {},
      reason: 'New',
      eventTime: '2026-11-30T11:00:00.000000Z',
      series: { lastObservedTime: '2026-11-30T12:00:02.000000Z' },
    },
    { metadata: { creationTimestamp: '2026-11-30T11:59:59Z' }, reason: 'Oldest' },
  ];
  expect(newestOf(events)?.reason).toBe('New');
  expect(newestOf([])).toBeUndefined();
});
