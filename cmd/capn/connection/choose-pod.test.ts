import { expect, it } from 'vitest';
import type { Pod } from '#kube';
import { isReadyPod, portOf } from './choose-pod.ts';

const ready = { conditions: [{ type: 'Ready', status: 'True' }] };

it('takes ready pods that stay', () => {
  expect(isReadyPod({ metadata: {}, status: ready } as Pod)).toBe(true);
  expect(isReadyPod({ metadata: { deletionTimestamp: 'now' }, status: ready } as Pod)).toBe(false);
  expect(isReadyPod({ metadata: {}, status: { conditions: [{ type: 'Ready', status: 'False' }] } } as Pod)).toBe(false);
  expect(isReadyPod({ metadata: {} } as Pod)).toBe(false);
});

it('reads the port from the pod', () => {
  const containers = [{ name: 'kube-apiserver', ports: [{ containerPort: 7443 }] }];
  expect(portOf({ metadata: {}, spec: { containers } } as unknown as Pod)).toBe(7443);
  expect(portOf({ metadata: {} } as Pod)).toBe(6443);
});
