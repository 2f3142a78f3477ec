import {
  nestedAPIServers,
  nestedControllerManagers,
  nestedEtcds,
  type NestedAPIServerSpec,
  type NestedControllerManagerSpec,
  type NestedControlPlane,
  type NestedEtcd,
  type NestedEtcdSpec,
} from '#apis';
import type { KubeObject, ResourceType } from '#kube';
import type { ControlPlaneIdentity } from './identity.ts';
import type { ServiceSlice } from './service-slices.ts';

/** Where clients of a tenant find its API server. */
export interface Endpoint {
  readonly host: string;
  readonly port: number;
}

/** The NestedEtcd that a control plane asks for. */
export function etcdFor(controlPlane: NestedControlPlane, identity: ControlPlaneIdentity): KubeObject {
  const { spec } = controlPlane;
  const child: NestedEtcdSpec = {
    ...spec.etcd,
    controlPlaneName: identity.base,
    version: spec.version,
  };
  return childObject(nestedEtcds, identity, child);
}

/** What an API server needs to know of its surroundings. */
export interface APIServerInputs {
  readonly slice: ServiceSlice;
  readonly endpoint: Endpoint;
  readonly etcd: NestedEtcd;
}

/** The NestedAPIServer that a control plane asks for. */
export function apiServerFor(
  controlPlane: NestedControlPlane,
  identity: ControlPlaneIdentity,
  { slice, endpoint, etcd }: APIServerInputs,
): KubeObject {
  const { spec } = controlPlane;
  const { serviceCIDR: _requested, ...settings } = spec.apiServer;
  const child: NestedAPIServerSpec = {
    ...settings,
    controlPlaneName: identity.base,
    version: spec.version,
    replicas: spec.replicas,
    serviceCIDR: slice.cidr,
    serviceName: identity.names.apiServer,
    serviceAddress: slice.address,
    endpoint,
    etcd: { endpoints: etcd.status?.endpoints ?? [], clientSecretName: etcd.status?.clientSecretName ?? '' },
  };
  return childObject(nestedAPIServers, identity, child);
}

/** The NestedControllerManager that a control plane asks for. */
export function controllerManagerFor(
  controlPlane: NestedControlPlane,
  identity: ControlPlaneIdentity,
  slice: ServiceSlice,
): KubeObject {
  const { spec } = controlPlane;
  const child: NestedControllerManagerSpec = {
    ...spec.controllerManager,
    controlPlaneName: identity.base,
    version: spec.version,
    replicas: spec.replicas,
    serviceCIDR: slice.cidr,
    kubeconfigSecretName: identity.names.secrets.controllerManagerKubeconfig,
  };
  return childObject(nestedControllerManagers, identity, child);
}

/** Components of one control plane carry its base name: one of each kind in a namespace. */
function childObject(type: ResourceType, identity: ControlPlaneIdentity, spec: object): KubeObject {
  const { apiVersion, kind } = type;
  const { base: name, namespace, labels } = identity;
  return { apiVersion, kind, metadata: { name, namespace, labels }, spec } as KubeObject;
}
