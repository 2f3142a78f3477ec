import {
  managedByLabel,
  managedByValue,
  nestedAPIServers,
  nestedControllerManagers,
  nestedControlPlanes,
  nestedEtcds,
} from '#apis';
import { resources, type KubeClient } from '#kube';
import { createInformer, type InformerDependencies } from '#runtime';
import type { ControlPlaneInformers } from './dependencies.ts';

/** Where to watch, and what the informers log and measure with. */
export interface InformerSettings {
  readonly client: KubeClient;
  /** Watch this namespace only; by default all. */
  readonly namespace?: string;
  readonly dependencies: InformerDependencies;
}

/** Makes the informers of {@link ControlPlaneInformers}; nothing is read before they run. */
export function createInformers({ client, namespace, dependencies }: InformerSettings): ControlPlaneInformers {
  const where = namespace === undefined ? {} : { namespace };
  const ours = { ...where, labelSelector: `${managedByLabel}=${managedByValue}` };
  return {
    controlPlanes: createInformer(client, nestedControlPlanes, where, dependencies),
    etcds: createInformer(client, nestedEtcds, where, dependencies),
    apiServers: createInformer(client, nestedAPIServers, where, dependencies),
    controllerManagers: createInformer(client, nestedControllerManagers, where, dependencies),
    configMaps: createInformer(client, resources.configMaps, ours, dependencies),
    deployments: createInformer(client, resources.deployments, ours, dependencies),
    networkPolicies: createInformer(client, resources.networkPolicies, ours, dependencies),
    persistentVolumeClaims: createInformer(client, resources.persistentVolumeClaims, ours, dependencies),
    pods: createInformer(client, resources.pods, ours, dependencies),
    secrets: createInformer(client, resources.secrets, ours, dependencies),
    services: createInformer(client, resources.services, ours, dependencies),
    statefulSets: createInformer(client, resources.statefulSets, ours, dependencies),
  };
}
