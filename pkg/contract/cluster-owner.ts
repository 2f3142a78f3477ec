import { resourceType, type KubeObject, type OwnerReference } from '#kube';

/** The part of a Cluster API Cluster that a control plane provider reads. */
export interface Cluster extends KubeObject {
  readonly spec?: {
    readonly paused?: boolean;
    readonly controlPlaneRef?: { readonly kind?: string; readonly name?: string };
  };
}

export const clusters = resourceType<Cluster>({
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'Cluster',
  plural: 'clusters',
  scope: 'Namespaced',
});

/** Any value pauses (contract: "Paused"). */
const pausedAnnotation = 'cluster.x-k8s.io/paused';

/**
 * The owner reference to a Cluster, of any API version. `controller` is not looked at: the core sets it for topologies
 * only, and a topology's objects are owned by a Secret for a moment.
 */
export function clusterOwnerOf(object: KubeObject): OwnerReference | undefined {
  return object.metadata.ownerReferences?.find(
    (owner) => owner.kind === 'Cluster' && owner.apiVersion.split('/')[0] === 'cluster.x-k8s.io',
  );
}

/** Whether a Cluster names the object as its control plane. The core sets the owner reference a moment later. */
export function isControlPlaneOf(object: KubeObject, { spec }: Cluster): boolean {
  const { kind, name } = spec?.controlPlaneRef ?? {};
  return kind === object.kind && name === object.metadata.name;
}

/** Whether nothing may be touched now: the annotation on the object, or `spec.paused` of its Cluster. */
export function isPaused(object: KubeObject, cluster?: Cluster): boolean {
  return object.metadata.annotations?.[pausedAnnotation] !== undefined || cluster?.spec?.paused === true;
}
