import { instanceLabel, nestedAPIServers, nestedControllerManagers, nestedEtcds, type NestedControlPlane } from '#apis';
import {
  isControlledBy,
  resources,
  type Condition,
  type KubeClient,
  type KubeObject,
  type ObjectKey,
  type PersistentVolumeClaim,
  type Pod,
} from '#kube';
import { readPodWarnings, type PodWarning } from './pod-warnings.ts';
import { baseNameOf, requireControlPlane } from '../control-plane.ts';

/** What the three component kinds have in common, as far as it is shown. */
export interface Component extends KubeObject {
  readonly spec: { readonly version: string; readonly replicas?: number };
  readonly status?: { readonly conditions?: readonly Condition[]; readonly readyReplicas?: number };
}

/** A control plane with all that belongs to it, as read from the super cluster at one moment. */
export interface ControlPlaneView {
  readonly controlPlane: NestedControlPlane;
  readonly components: readonly Component[];
  readonly pods: readonly Pod[];
  readonly claims: readonly PersistentVolumeClaim[];
  readonly warnings: readonly PodWarning[];
}

const componentTypes = [nestedEtcds, nestedAPIServers, nestedControllerManagers] as const;

/** Reads a control plane, the components that it owns, the pods and claims that carry its name, and what pods complain of. */
export async function readControlPlane(
  client: KubeClient,
  key: Required<ObjectKey>,
  signal: AbortSignal,
): Promise<ControlPlaneView> {
  const controlPlane = await requireControlPlane(client, key, signal);
  const { namespace } = key;
  const ofInstance = { namespace, labelSelector: `${instanceLabel}=${baseNameOf(controlPlane)}` };
  const [lists, pods, claims] = await Promise.all([
    Promise.all(componentTypes.map(async (type) => await client.list<Component>(type, { namespace }, signal))),
    client.list(resources.pods, ofInstance, signal),
    client.list(resources.persistentVolumeClaims, ofInstance, signal),
  ]);
  const components = lists.flatMap(({ items }) => items.filter((item) => isControlledBy(item, controlPlane)));
  const warnings = await readPodWarnings(client, pods.items, signal);
  return { controlPlane, components, pods: pods.items, claims: claims.items, warnings };
}
