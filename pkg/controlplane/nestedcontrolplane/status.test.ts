import { describe, expect, it } from 'vitest';
import type { NestedAPIServer, NestedControllerManager, NestedControlPlane, NestedEtcd } from '#apis';
import { findCondition, setCondition } from '#kube';
import { proceed, wait, type StepsRun } from '#runtime';
import { statusOf, type StatusInputs } from './status.ts';

const now = new Date('2026-11-30T12:00:00Z');
const done: StepsRun = { step: 'publishSyncerKubeconfig', result: proceed() };

const controlPlane = {
  metadata: { name: 'team-a', namespace: 'default', generation: 3 },
  spec: { version: 'v1.36.3' },
} as NestedControlPlane;

function component(ready: 'True' | 'False', status: object = {}) {
  const reason = ready === 'True' ? 'Ready' : 'WaitingForPods';
  const conditions = [
    { type: 'Ready', status: ready, reason, message: ready === 'True' ? '' : 'pod x', lastTransitionTime: 'then' },
  ];
  return {
    kind: 'NestedThing',
    metadata: { name: 'team-a', generation: 1 },
    status: { observedGeneration: 1, conditions, ...status },
  };
}

const versions = [{ version: 'v1.36.3', replicas: 2 }];
const counters = { replicas: 2, readyReplicas: 2, availableReplicas: 2, upToDateReplicas: 2, selector: 'a=b' };
const healthy = {
  etcd: component('True', { clusterID: 'abc' }) as unknown as NestedEtcd,
  apiServer: component('True', { ...counters, versions }) as unknown as NestedAPIServer,
  controllerManager: component('True', { version: 'v1.36.3' }) as unknown as NestedControllerManager,
};

function compute(inputs: Partial<StatusInputs>) {
  const status = statusOf({ controlPlane, run: done, initialized: true, certificates: [], ...healthy, ...inputs }, now);
  const condition = (type: string) => findCondition(status.conditions, type);
  return { status, condition };
}

describe('the status of a control plane', () => {
  it('is that of the Cluster API contract when all is well', () => {
    const { status, condition } = compute({ slice: { cidr: '10.96.7.0/24', address: '10.96.7.1' } });
    expect(status).toMatchObject({
      observedGeneration: 3,
      initialization: { controlPlaneInitialized: true },
      externalManagedControlPlane: true,
      version: 'v1.36.3',
      versions,
      ...counters,
      serviceCIDR: '10.96.7.0/24',
      etcdClusterID: 'abc',
    });
    for (const type of ['Available', 'CertificatesAvailable', 'EndpointAvailable', 'EtcdClusterHealthy']) {
      expect(condition(type)).toMatchObject({ status: 'True', observedGeneration: 3 });
    }
    expect(condition('RollingOut')?.status).toBe('False');
  });

  it('is not available while a step waits, for the reason of that step', () => {
    const run = { step: 'applyEtcd', result: wait('WaitingForEtcd', 'etcd starts') };
    const { condition } = compute({ run });
    expect(condition('Available')).toMatchObject({ status: 'False', reason: 'WaitingForEtcd', message: 'etcd starts' });
    expect(condition('CertificatesAvailable')?.status).toBe('True');
  });

  it('names the step that failed, and says of later ones that they wait for it', () => {
    const run = { step: 'ensureAuthorities', result: wait('InvalidCertificateAuthority', 'expired') };
    const { condition } = compute({ run });
    expect(condition('CertificatesAvailable')).toMatchObject({
      status: 'False',
      reason: 'InvalidCertificateAuthority',
    });
    expect(condition('EndpointAvailable')).toMatchObject({ status: 'False', reason: 'Reconciling' });
  });

  it('goes back to unavailable when a component does, but stays initialized', () => {
    const { status, condition } = compute({ apiServer: component('False', counters) as unknown as NestedAPIServer });
    expect(condition('Available')).toMatchObject({ status: 'False', reason: 'WaitingForPods' });
    expect(condition('APIServerHealthy')?.message).toBe('pod x');
    expect(condition('ControlPlaneComponentsHealthy')?.status).toBe('False');
    expect(status.initialization).toEqual({ controlPlaneInitialized: true });
  });

  it('does not trust what a component said of an earlier generation', () => {
    const stale = { ...component('True', counters), metadata: { name: 'team-a', generation: 2 } };
    const { condition } = compute({ apiServer: stale as unknown as NestedAPIServer });
    expect(condition('Available')?.status).toBe('False');
    expect(condition('RollingOut')).toMatchObject({ status: 'True', reason: 'RollingOut' });
  });

  it('counts a controller manager that is behind as the version that runs', () => {
    const behind = component('True', { version: 'v1.36.2' }) as unknown as NestedControllerManager;
    const { status } = compute({ controllerManager: behind });
    expect(status.version).toBe('v1.36.2');
    expect(status.versions).toEqual([{ version: 'v1.36.2' }, ...versions]);
  });

  it('keeps the time of a condition that did not change', () => {
    const earlier = new Date('2026-11-01T00:00:00Z');
    const before = setCondition([], { type: 'Available', status: 'True', reason: 'Available', message: '' }, earlier);
    const known = { ...controlPlane, status: { conditions: before } } as NestedControlPlane;
    expect(compute({ controlPlane: known }).condition('Available')?.lastTransitionTime).toBe('2026-11-01T00:00:00Z');
  });

  it('writes zeros before there is anything', () => {
    const run = { step: 'ensureFinalizer', result: wait('Reconciling', 'x') };
    const status = statusOf({ controlPlane, run, initialized: false, certificates: [] }, now);
    expect(status).toMatchObject({ replicas: 0, readyReplicas: 0, availableReplicas: 0, upToDateReplicas: 0 });
    expect(status.initialization).toBeUndefined();
    expect(status.version).toBeUndefined();
  });
});
