import type { Condition } from '#kube';

/** Conditions that are good when False: they speak of something exceptional. */
const exceptional = new Set([
  'Deleting',
  'Paused',
  'Stalled',
  'ScalingUp',
  'ScalingDown',
  'RollingOut',
  'Progressing',
  'Degraded',
]);

/** Whether a condition is as it should be at rest. Pure. */
export function isGood({ type, status }: Condition): boolean {
  return status === (exceptional.has(type) ? 'False' : 'True');
}
