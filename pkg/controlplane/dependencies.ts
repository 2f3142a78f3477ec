import type { NestedAPIServer, NestedControllerManager, NestedControlPlane, NestedEtcd } from '#apis';
import type {
  ClusterConfig,
  ConfigMap,
  Deployment,
  KubeClient,
  NetworkPolicy,
  PersistentVolumeClaim,
  Pod,
  Secret,
  Service,
  StatefulSet,
} from '#kube';
import type { Clock, Informer } from '#runtime';
import type { AppliedMemory } from './applied-memory.ts';

/** What the controllers watch in the super cluster. All but the four kinds are narrowed to objects of ours by label. */
export interface ControlPlaneInformers {
  readonly controlPlanes: Informer<NestedControlPlane>;
  readonly etcds: Informer<NestedEtcd>;
  readonly apiServers: Informer<NestedAPIServer>;
  readonly controllerManagers: Informer<NestedControllerManager>;
  readonly configMaps: Informer<ConfigMap>;
  readonly deployments: Informer<Deployment>;
  readonly networkPolicies: Informer<NetworkPolicy>;
  readonly persistentVolumeClaims: Informer<PersistentVolumeClaim>;
  readonly pods: Informer<Pod>;
  readonly secrets: Informer<Secret>;
  readonly services: Informer<Service>;
  readonly statefulSets: Informer<StatefulSet>;
}

/** What every step can use. */
export interface Dependencies {
  readonly client: KubeClient;
  readonly informers: ControlPlaneInformers;
  readonly clock: Clock;
  readonly applied: AppliedMemory;
  /** The provider's own namespace, where the gateway CA is kept. */
  readonly systemNamespace: string;
  /** Opens a connection to a tenant's API server. */
  readonly connect: (config: ClusterConfig) => KubeClient;
}

/** Field manager of everything that this provider applies. */
export const fieldManager = 'cluster-api-provider-nested';
