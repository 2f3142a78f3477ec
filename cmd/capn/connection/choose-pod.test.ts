import { expect, it } from 'vitest';
import { isReadyPod, portOf } from './choose-pod.ts';

const ready = { conditions: [{ type: 'Ready', status: 'True' }] };

it('takes ready pods that stay', () => {
  expect(isReadyPod({ metadata: {}, status: ready })).toBe(true);
  expect(isReadyPod({ metadata: { deletionTimestamp: 'now' }, status: ready })).toBe(false);
  expect(isReadyPod({ metadata: {}, status: { conditions: [{ type: 'Ready', status: 'False' }] } })).toBe(false);
  expect(isReadyPod({ metadata: {} })).toBe(false);
});

it('reads the port from the pod', () => {
  const containers = [{ name: 'kube-apiserver', ports: [{ containerPort: 7443 }] }];
  expect(portOf({ metadata: {}, spec: { containers } })).toBe(7443);
  expect(portOf({ metadata: {} })).toBe(6443);
});
