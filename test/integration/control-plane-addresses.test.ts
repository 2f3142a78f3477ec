import { afterAll, beforeAll, expect, it } from 'vitest';
import { nestedControlPlanes, type NestedControlPlane } from '#apis';
import { findCondition, resources, type KubeClient } from '#kube';
import { nestedControlPlane } from '../builders/nested-control-plane.ts';
import { startControllers, type ControllersFixture } from '../fixtures/controllers.ts';
import { eventually } from '../fixtures/eventually.ts';

/** A super cluster whose Service range has room for one tenant beside itself. */
const signal = AbortSignal.timeout(300_000);
let controllers: ControllersFixture;
let client: KubeClient;

beforeAll(async () => {
  controllers = await startControllers({ flags: { 'service-cluster-ip-range': '10.96.0.0/23' } }, signal);
  ({ client } = controllers);
});

afterAll(async () => {
  await controllers[Symbol.asyncDispose]();
});

async function create(name: string): Promise<void> {
  await client.create(nestedControlPlanes, nestedControlPlane(name) as NestedControlPlane, signal);
}

async function endpointOf(name: string) {
  const plane = await client.get(nestedControlPlanes, { namespace: 'default', name }, signal);
  return findCondition(plane?.status?.conditions, 'EndpointAvailable');
}

it('[F-range-full] tells when the Service range is full, and goes on when there is room again', async () => {
  await create('first');
  await eventually(async () => expect(await endpointOf('first')).toMatchObject({ status: 'True', reason: 'Claimed' }));
  await create('second');
  await eventually(async () => {
    const condition = await endpointOf('second');
    expect(condition).toMatchObject({ status: 'False', reason: 'ServiceRangeFull' });
    expect(condition?.message).toContain('10.96.0.0/23');
  });
  const more = {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'ServiceCIDR',
    metadata: { name: 'more' },
    spec: { cidrs: ['10.98.0.0/23'] },
  };
  await client.apply(resources.serviceCIDRs, more, { fieldManager: 'test' }, signal);
  await eventually(async () => expect(await endpointOf('second')).toMatchObject({ status: 'True' }), 45_000);
  const service = await client.get(resources.services, { namespace: 'default', name: 'second-apiserver' }, signal);
  expect(service?.spec?.clusterIP).toBe('10.98.1.1');
});
