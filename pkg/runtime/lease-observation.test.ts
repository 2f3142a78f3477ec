import { expect, it } from 'vitest';
import type { Lease } from '#kube';
import { LeaseObservation } from './lease-observation.ts';

function lease(resourceVersion: string, holderIdentity = 'other'): Lease {
  // A renewal long ago by its own words: these are not to be believed.
  return { metadata: { resourceVersion }, spec: { holderIdentity, leaseDurationSeconds: 15, renewTime: '2000-01-01' } };
}

it('takes a Lease for free after no change of it was seen for its duration', () => {
  const observation = new LeaseObservation();
  expect(observation.isFree(lease('1'), 1000)).toBe(false);
  expect(observation.isFree(lease('1'), 16_000)).toBe(false);
  expect(observation.isFree(lease('1'), 16_001)).toBe(true);
});

it('counts anew with every change', () => {
  const observation = new LeaseObservation();
  observation.isFree(lease('1'), 0);
  expect(observation.isFree(lease('2'), 15_001)).toBe(false);
  expect(observation.isFree(lease('2'), 30_002)).toBe(true);
});

it('takes a Lease that was given back at once', () => {
  expect(new LeaseObservation().isFree(lease('1', ''), 0)).toBe(true);
});
