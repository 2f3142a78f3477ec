import { describe, expect, it } from 'vitest';
import { clusterOwnerOf, isControlPlaneOf, isPaused } from './cluster-owner.ts';

const owner = (apiVersion: string, kind: string) => ({ apiVersion, kind, name: 'red', uid: '1' });

describe('the owning Cluster', () => {
  it('is found in any API version, whether it is the controller or not', () => {
    const ownerReferences = [owner('v1', 'Secret'), owner('cluster.x-k8s.io/v1beta1', 'Cluster')];
    expect(clusterOwnerOf({ metadata: { ownerReferences } })).toEqual(ownerReferences[1]);
  });

  it('is not the shim Secret of a topology, nor a Cluster of another group', () => {
    const ownerReferences = [owner('v1', 'Secret'), owner('cluster.example.test/v1', 'Cluster')];
    expect(clusterOwnerOf({ metadata: { ownerReferences } })).toBeUndefined();
  });

  it('is known before it owns, by its reference', () => {
    const plane = { kind: 'NestedControlPlane', metadata: { name: 'red-cp' } };
    const refersTo = (kind: string, name: string) => ({ metadata: {}, spec: { controlPlaneRef: { kind, name } } });
    expect(isControlPlaneOf(plane, refersTo('NestedControlPlane', 'red-cp'))).toBe(true);
    expect(isControlPlaneOf(plane, refersTo('KubeadmControlPlane', 'red-cp'))).toBe(false);
    expect(isControlPlaneOf(plane, { metadata: {} })).toBe(false);
  });
});

describe('pause', () => {
  it('is the annotation of any value, or the Cluster’s field', () => {
    expect(isPaused({ metadata: { annotations: { 'cluster.x-k8s.io/paused': '' } } })).toBe(true);
    expect(isPaused({ metadata: {} }, { metadata: {}, spec: { paused: true } })).toBe(true);
    expect(isPaused({ metadata: {} }, { metadata: {}, spec: {} })).toBe(false);
  });
});
