import { expect, it } from 'vitest';
import type { NestedControlPlane } from '#apis';
import { serves } from './wait-for-control-plane.ts';

const plane = (condition: object | undefined, metadata: object = {}): NestedControlPlane =>
  ({
    metadata: { generation: 2, ...metadata },
    status: { conditions: condition === undefined ? [] : [{ type: 'Available', ...condition }] },
  }) as unknown as NestedControlPlane;

it.each([
  ['it is available', plane({ status: 'True', observedGeneration: 2 }), true],
  ['that is said of no generation', plane({ status: 'True' }), true],
  ['that is said of an older specification', plane({ status: 'True', observedGeneration: 1 }), false],
  ['it is not available', plane({ status: 'False' }), false],
  ['nobody has looked', plane(undefined), false],
  ['it is being deleted', plane({ status: 'True' }, { deletionTimestamp: '2026-11-30T12:00:00Z' }), false],
])('knows whether a control plane serves when %s', (_what, given, expected) => {
  expect(serves(given)).toBe(expected);
});
