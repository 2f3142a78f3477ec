import { expect, it } from 'vitest';
import type { NestedControlPlane } from '#apis';
import { listText } from './list.ts';

const now = new Date('2026-11-30T12:00:00Z');
const items = [
  {
    metadata: { namespace: 'default', name: 'team-a', creationTimestamp: '2026-11-30T11:00:00Z' },
    spec: { version: 'v1.36.3', replicas: 1, controlPlaneEndpoint: { host: 'team-a.default.svc', port: 6443 } },
    status: {
      version: 'v1.36.3',
      readyReplicas: 1,
      serviceCIDR: '10.96.7.0/24',
      conditions: [{ type: 'Available', status: 'True', reason: 'Available', message: '', lastTransitionTime: '' }],
    },
  },
  {
    metadata: { namespace: 'shop', name: 'b', creationTimestamp: '2026-11-30T11:59:30Z' },
    spec: { version: 'v1.36.3', replicas: 3 },
  },
] as unknown as readonly NestedControlPlane[];

it('lists one namespace', () => {
  expect(listText(items.slice(0, 1), { all: false, wide: false, now })).toBe(
    `NAME     AVAILABLE   READY   VERSION   REASON      AGE
team-a   True        1/1     v1.36.3   Available   60m
`,
  );
});

it('lists all namespaces, wide', () => {
  expect(listText(items, { all: true, wide: true, now })).toBe(
    `NAMESPACE   NAME     AVAILABLE   READY   VERSION   RUNNING   ENDPOINT                  SERVICES       REASON      AGE
default     team-a   True        1/1     v1.36.3   v1.36.3   team-a.default.svc:6443   10.96.7.0/24   Available   60m
shop        b        Unknown     0/3     v1.36.3   -         -                         -              -           30s
`,
  );
});

it('prints no heading over nothing', () => {
  expect(listText([], { all: true, wide: false, now })).toBe('');
});
