import { expect, it } from 'vitest';
import type { NestedControlPlane } from '#apis';
import type { Condition } from '#kube';
import type { Component, ControlPlaneView } from './read-control-plane.ts';
import { renderTree } from './render-tree.ts';

const created = '2026-11-30T11:55:00Z';
const condition = (type: string, status: Condition['status'], reason: string, message = ''): Condition => ({
  type,
  status,
  reason,
  message,
  lastTransitionTime: created,
});
const labels = { 'app.kubernetes.io/component': 'etcd' };

const view: ControlPlaneView = {
  controlPlane: {
    kind: 'NestedControlPlane',
    metadata: { name: 'team-a', namespace: 'default', creationTimestamp: created },
    spec: { version: 'v1.36.3', replicas: 1 },
    status: {
      serviceCIDR: '10.96.7.0/24',
      conditions: [
        condition('Available', 'False', 'WaitingForEtcd', 'NestedEtcd team-a-etcd is not ready'),
        condition('CertificatesReady', 'True', 'Issued'),
        condition('Paused', 'False', 'NotPaused'),
      ],
    },
  } as unknown as NestedControlPlane,
  components: [
    {
      kind: 'NestedEtcd',
      metadata: { name: 'team-a-etcd', creationTimestamp: created },
      spec: { version: 'v1.36.3', replicas: 1 },
      status: {
        readyReplicas: 0,
        conditions: [condition('Ready', 'Unknown', 'WaitingForPods', 'pod team-a-etcd-0 pulls its image')],
      },
    } satisfies Component,
  ],
  pods: [
    {
      metadata: { name: 'team-a-etcd-0', labels, creationTimestamp: created },
      spec: { containers: [{ name: 'etcd' }] },
      status: { phase: 'Pending' },
    },
    {
      metadata: { name: 'team-a-apiserver-1', labels: {}, creationTimestamp: created },
      spec: { containers: [{ name: 'x' }] },
      status: {
        phase: 'Running',
        containerStatuses: [{ name: 'x', image: 'x', imageID: 'x', ready: true, restartCount: 0 }],
      },
    },
  ],
  warnings: [{ pod: 'team-a-etcd-0', reason: 'Failed', note: 'image not found' }],
  claims: [
    {
      metadata: { name: 'data-team-a-etcd-0', labels },
      spec: { storageClassName: 'standard' },
      status: { phase: 'Bound', capacity: { storage: '1Gi' } },
    },
  ],
};

const options = { now: new Date('2026-11-30T12:00:00Z'), style: (_style: string, text: string) => text };

it('shows what is not as it should be, and where', () => {
  expect(renderTree(view, { ...options, wide: false }))
    .toBe(`NestedControlPlane team-a  not available, 0/1 ready, v1.36.3, 5m old
├─ ✗ Available=False WaitingForEtcd: NestedEtcd team-a-etcd is not ready (5m)
├─ services 10.96.7.0/24
├─ NestedEtcd team-a-etcd  not ready, 0/1 ready, v1.36.3, 5m old
│  ├─ ? Ready=Unknown WaitingForPods: pod team-a-etcd-0 pulls its image (5m)
│  ├─ Pod team-a-etcd-0  Pending 0/1, 5m old
│  │  └─ ! Failed: image not found
│  └─ Claim data-team-a-etcd-0  Bound, 1Gi, standard
└─ Pod team-a-apiserver-1  Running 1/1, 5m old
`);
});

it('shows every condition when wide', () => {
  const text = renderTree(view, { ...options, wide: true });
  expect(text).toContain('├─ ✓ CertificatesReady=True Issued (5m)\n├─ ✓ Paused=False NotPaused (5m)');
});

it('says that nobody has looked at a new object', () => {
  const controlPlane = { ...view.controlPlane, status: undefined } as unknown as NestedControlPlane;
  const text = renderTree(
    { controlPlane, components: [], pods: [], claims: [], warnings: [] },
    { ...options, wide: false },
  );
  expect(text).toContain('└─ no conditions yet: no controller has looked at it');
});

it('colours by state', () => {
  const style = (name: string, text: string) => `<${name}>${text}</>`;
  expect(renderTree(view, { ...options, style, wide: false })).toContain('<yellow>not available</>');
});
