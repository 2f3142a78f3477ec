import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nestedAPIServers, nestedControlPlanes, nestedEtcds, type NestedControlPlane, type NestedEtcd } from '#apis';
import { clusters, type Cluster } from '#contract';
import { findCondition, resources, type KubeClient } from '#kube';
import { nestedControlPlane } from '../builders/nested-control-plane.ts';
import { clusterCrdText } from '../fixtures/cluster-crd.ts';
import { startControllers, type ControllersFixture } from '../fixtures/controllers.ts';
import { eventually } from '../fixtures/eventually.ts';

/** A control plane and what stands around it: its Cluster, its load balancer, components without one. */
const signal = AbortSignal.timeout(300_000);
let controllers: ControllersFixture;
let client: KubeClient;

beforeAll(async () => {
  controllers = await startControllers({ crds: [clusterCrdText] }, signal);
  ({ client } = controllers);
});

afterAll(async () => {
  await controllers[Symbol.asyncDispose]();
});

const read = (name: string) => client.get(nestedControlPlanes, { namespace: 'default', name }, signal);

async function expectCondition(name: string, type: string, expected: object): Promise<void> {
  await eventually(async () =>
    expect(findCondition((await read(name))?.status?.conditions, type)).toMatchObject(expected),
  );
}

async function create(name: string, spec: object = {}, metadata: object = {}): Promise<NestedControlPlane> {
  const object = nestedControlPlane(name, spec) as NestedControlPlane;
  return client.create(nestedControlPlanes, { ...object, metadata: { ...object.metadata, ...metadata } }, signal);
}

describe('with a Cluster as owner', () => {
  async function createCluster(name: string, spec: object): Promise<Cluster> {
    const { apiVersion, kind } = clusters;
    const object = { apiVersion, kind, metadata: { name, namespace: 'default' }, spec };
    return client.create<Cluster>(clusters, object, signal);
  }

  const ownedBy = ({ metadata }: Cluster) => ({
    // As the core sets it: without `controller`.
    ownerReferences: [{ apiVersion: clusters.apiVersion, kind: 'Cluster', name: metadata.name, uid: metadata.uid }],
  });

  it('takes names and labels from the Cluster', async () => {
    const cluster = await createCluster('red', {});
    await create('red-control-plane', {}, ownedBy(cluster));
    await expectCondition('red-control-plane', 'EndpointAvailable', { status: 'True' });
    const plane = await read('red-control-plane');
    expect(plane?.metadata.labels?.['cluster.x-k8s.io/cluster-name']).toBe('red');
    expect(plane?.metadata.annotations).toHaveProperty(['clusterctl.cluster.x-k8s.io/block-move']);
    expect(plane?.spec.controlPlaneEndpoint?.host).toBe('red-apiserver.default.svc');
    const ca = await client.get(resources.secrets, { namespace: 'default', name: 'red-ca' }, signal);
    expect(ca).toMatchObject({ type: 'cluster.x-k8s.io/secret' });
    expect(ca?.metadata.labels?.['cluster.x-k8s.io/cluster-name']).toBe('red');
    expect(ca?.metadata.ownerReferences?.[0]).toMatchObject({ kind: 'NestedControlPlane', controller: true });
  });

  it('waits for a Cluster that refers to it and does not own it yet', async () => {
    const controlPlaneRef = { apiGroup: 'controlplane.cluster.x-k8s.io', kind: 'NestedControlPlane', name: 'early-cp' };
    const cluster = await createCluster('early', { controlPlaneRef });
    await create('early-cp');
    await expectCondition('early-cp', 'Available', { status: 'False', reason: 'WaitingForCluster' });
    expect(await client.get(resources.secrets, { namespace: 'default', name: 'early-cp-ca' }, signal)).toBeUndefined();
    const target = { type: nestedControlPlanes, key: { namespace: 'default', name: 'early-cp' } };
    await client.mergePatch(target, { metadata: ownedBy(cluster) }, {}, signal);
    await expectCondition('early-cp', 'EndpointAvailable', { status: 'True' });
    expect((await read('early-cp'))?.status?.baseName).toBe('early');
    expect(await client.get(resources.secrets, { namespace: 'default', name: 'early-ca' }, signal)).toBeDefined();
  });

  it('refuses a Cluster of another name that comes later', async () => {
    await create('alone');
    await expectCondition('alone', 'EndpointAvailable', { status: 'True' });
    const cluster = await createCluster('late', {});
    const target = { type: nestedControlPlanes, key: { namespace: 'default', name: 'alone' } };
    await client.mergePatch(target, { metadata: ownedBy(cluster) }, {}, signal);
    await expectCondition('alone', 'Available', { status: 'False', reason: 'ClusterNameMismatch' });
    expect(await client.get(resources.secrets, { namespace: 'default', name: 'late-ca' }, signal)).toBeUndefined();
  });

  it('touches nothing while the Cluster is paused, deletion included, and goes on when it is not', async () => {
    const cluster = await createCluster('still', { paused: true });
    await create('still', {}, ownedBy(cluster));
    await expectCondition('still', 'Paused', { status: 'True', reason: 'Paused' });
    expect((await read('still'))?.metadata.finalizers).toBeUndefined();
    expect(await client.get(resources.secrets, { namespace: 'default', name: 'still-ca' }, signal)).toBeUndefined();
    await client.mergePatch(
      { type: clusters, key: { namespace: 'default', name: 'still' } },
      { spec: { paused: false } },
      {},
      signal,
    );
    await expectCondition('still', 'EndpointAvailable', { status: 'True' });
    await expectCondition('still', 'Paused', { status: 'False', reason: 'NotPaused' });
    await expectCondition('still', 'EtcdClusterHealthy', { reason: 'WaitingForPods' });
    await client.mergePatch(
      { type: clusters, key: { namespace: 'default', name: 'still' } },
      { spec: { paused: true } },
      {},
      signal,
    );
    await expectCondition('still', 'Paused', { status: 'True' });
    const service = { type: resources.services, key: { namespace: 'default', name: 'still-etcd' } };
    await client.delete(service.type, service.key, {}, signal);
    await sleep(2000);
    expect(await client.get(service.type, service.key, signal)).toBeUndefined();
  });
});

it('waits for a load balancer, and uses its address for the endpoint', async () => {
  await create('balanced', {
    apiServer: { service: { type: 'LoadBalancer', annotations: { 'example.test/pool': 'a' } } },
  });
  await expectCondition('balanced', 'EndpointAvailable', { status: 'False', reason: 'WaitingForLoadBalancer' });
  expect((await read('balanced'))?.spec.controlPlaneEndpoint).toBeUndefined();
  const target = { type: resources.services, key: { namespace: 'default', name: 'balanced-apiserver' } };
  const service = await client.get(resources.services, target.key, signal);
  expect(service?.spec?.type).toBe('LoadBalancer');
  expect(service?.metadata.annotations?.['example.test/pool']).toBe('a');
  const status = { loadBalancer: { ingress: [{ ip: '192.0.2.44' }] } };
  await client.mergePatch(target, { status }, { subresource: 'status' }, signal);
  await expectCondition('balanced', 'EndpointAvailable', { status: 'True', reason: 'Claimed' });
  await eventually(async () =>
    expect((await read('balanced'))?.spec.controlPlaneEndpoint).toEqual({ host: '192.0.2.44', port: 6443 }),
  );
});

it('tells which of its settings the super cluster refuses', async () => {
  await create('greedy', { etcd: { placement: { affinity: { nodeAfinity: {} } } } });
  await eventually(async () => {
    const etcd = await client.get<NestedEtcd>(nestedEtcds, { namespace: 'default', name: 'greedy' }, signal);
    const ready = findCondition(etcd?.status?.conditions, 'Ready');
    expect(ready).toMatchObject({ status: 'False', reason: 'Rejected' });
    expect(ready?.message).toContain('nodeAfinity');
  });
  await expectCondition('greedy', 'Available', { status: 'False', reason: 'WaitingForEtcd' });
});

it('leaves a component alone that no control plane controls, and says so', async () => {
  const spec = {
    controlPlaneName: 'nobody',
    version: 'v1.36.3',
    serviceCIDR: '10.96.9.0/24',
    serviceName: 'nobody',
    serviceAddress: '10.96.9.1',
    endpoint: { host: 'nobody.test', port: 6443 },
    etcd: { endpoints: ['https://nobody:2379'], clientSecretName: 'nobody' },
  };
  const { apiVersion, kind } = nestedAPIServers;
  const metadata = { name: 'orphan', namespace: 'default' };
  await client.apply(nestedAPIServers, { apiVersion, kind, metadata, spec } as never, { fieldManager: 'test' }, signal);
  await eventually(async () => {
    const orphan = await client.get(nestedAPIServers, { namespace: 'default', name: 'orphan' }, signal);
    expect(findCondition(orphan?.status?.conditions, 'Ready')).toMatchObject({
      status: 'False',
      reason: 'WaitingForControlPlane',
    });
  });
});
