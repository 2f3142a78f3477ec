import type {
  V1ClusterRole,
  V1ClusterRoleBinding,
  V1ConfigMap,
  V1CustomResourceDefinition,
  V1Deployment,
  V1Endpoints,
  V1IPAddress,
  V1Lease,
  V1Namespace,
  V1NetworkPolicy,
  V1Node,
  V1PersistentVolumeClaim,
  V1Pod,
  V1Secret,
  V1Service,
  V1ServiceAccount,
  V1ServiceCIDR,
  V1StatefulSet,
  V1StorageClass,
} from '@kubernetes/client-node';
import type { KubeObject, Resource } from './objects.ts';

/**
 * One resource of an API server: all that is needed to address it and to know its objects' type.
 * `T` is carried for the compiler only.
 */
export interface ResourceType<T extends KubeObject = KubeObject> {
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural: string;
  readonly scope: 'Namespaced' | 'Cluster';
  /** Never set: ties the row to its objects' type. */
  readonly objectType?: T;
}

/** Declares a resource: the one place where its row and its objects' type meet. */
export function resourceType<T extends KubeObject>(row: Omit<ResourceType<T>, 'objectType'>): ResourceType<T> {
  return row;
}

/** The API group of a resource; the core group is the empty string. */
export function groupOf(type: Pick<ResourceType, 'apiVersion'>): string {
  const slash = type.apiVersion.indexOf('/');
  return slash < 0 ? '' : type.apiVersion.slice(0, slash);
}

export type ClusterRole = Resource<V1ClusterRole>;
export type ClusterRoleBinding = Resource<V1ClusterRoleBinding>;
export type ConfigMap = Resource<V1ConfigMap>;
export type CustomResourceDefinition = Resource<V1CustomResourceDefinition>;
export type Deployment = Resource<V1Deployment>;
export type Endpoints = Resource<V1Endpoints>;
export type IPAddress = Resource<V1IPAddress>;
export type Lease = Resource<V1Lease>;
export type Namespace = Resource<V1Namespace>;
export type NetworkPolicy = Resource<V1NetworkPolicy>;
export type Node = Resource<V1Node>;
export type PersistentVolumeClaim = Resource<V1PersistentVolumeClaim>;
export type Pod = Resource<V1Pod>;
export type Secret = Resource<V1Secret>;
export type Service = Resource<V1Service>;
export type ServiceAccount = Resource<V1ServiceAccount>;
export type ServiceCIDR = Resource<V1ServiceCIDR>;
export type StatefulSet = Resource<V1StatefulSet>;
export type StorageClass = Resource<V1StorageClass>;
export interface KubeEvent extends KubeObject {
  readonly type?: string;
  readonly reason?: string;
  readonly note?: string;
}

function namespaced<T extends KubeObject>(apiVersion: string, kind: string, plural: string): ResourceType<T> {
  return resourceType<T>({ apiVersion, kind, plural, scope: 'Namespaced' });
}

function clusterScoped<T extends KubeObject>(apiVersion: string, kind: string, plural: string): ResourceType<T> {
  return resourceType<T>({ apiVersion, kind, plural, scope: 'Cluster' });
}

/** The built-in resources that this project addresses. */
export const resources = {
  clusterRoles: clusterScoped<ClusterRole>('rbac.authorization.k8s.io/v1', 'ClusterRole', 'clusterroles'),
  clusterRoleBindings: clusterScoped<ClusterRoleBinding>(
    'rbac.authorization.k8s.io/v1',
    'ClusterRoleBinding',
    'clusterrolebindings',
  ),
  configMaps: namespaced<ConfigMap>('v1', 'ConfigMap', 'configmaps'),
  customResourceDefinitions: clusterScoped<CustomResourceDefinition>(
    'apiextensions.k8s.io/v1',
    'CustomResourceDefinition',
    'customresourcedefinitions',
  ),
  deployments: namespaced<Deployment>('apps/v1', 'Deployment', 'deployments'),
  endpoints: namespaced<Endpoints>('v1', 'Endpoints', 'endpoints'),
  events: namespaced<KubeEvent>('events.k8s.io/v1', 'Event', 'events'),
  ipAddresses: clusterScoped<IPAddress>('networking.k8s.io/v1', 'IPAddress', 'ipaddresses'),
  leases: namespaced<Lease>('coordination.k8s.io/v1', 'Lease', 'leases'),
  namespaces: clusterScoped<Namespace>('v1', 'Namespace', 'namespaces'),
  networkPolicies: namespaced<NetworkPolicy>('networking.k8s.io/v1', 'NetworkPolicy', 'networkpolicies'),
  nodes: clusterScoped<Node>('v1', 'Node', 'nodes'),
  persistentVolumeClaims: namespaced<PersistentVolumeClaim>('v1', 'PersistentVolumeClaim', 'persistentvolumeclaims'),
  pods: namespaced<Pod>('v1', 'Pod', 'pods'),
  secrets: namespaced<Secret>('v1', 'Secret', 'secrets'),
  serviceAccounts: namespaced<ServiceAccount>('v1', 'ServiceAccount', 'serviceaccounts'),
  serviceCIDRs: clusterScoped<ServiceCIDR>('networking.k8s.io/v1', 'ServiceCIDR', 'servicecidrs'),
  services: namespaced<Service>('v1', 'Service', 'services'),
  statefulSets: namespaced<StatefulSet>('apps/v1', 'StatefulSet', 'statefulsets'),
  storageClasses: clusterScoped<StorageClass>('storage.k8s.io/v1', 'StorageClass', 'storageclasses'),
} as const;
