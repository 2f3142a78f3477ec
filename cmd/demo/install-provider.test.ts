import { expect, it } from 'vitest';
import type { Deployment } from '#kube';
import { isRolledOut } from './install-provider.ts';

const done = { observedGeneration: 2, replicas: 1, updatedReplicas: 1, availableReplicas: 1 };
const deployment = (status: object): Deployment =>
  ({ metadata: { generation: 2 }, spec: { replicas: 1 }, status }) as unknown as Deployment;

it.each([
  ['all is as it should be', done, true],
  ['the controller has not seen the change', { ...done, observedGeneration: 1 }, false],
  ['an old pod is there still', { ...done, replicas: 2 }, false],
  ['the new pod is not available', { ...done, availableReplicas: 0 }, false],
])('knows when %s', (_what, status, expected) => {
  expect(isRolledOut(deployment(status))).toBe(expected);
});
