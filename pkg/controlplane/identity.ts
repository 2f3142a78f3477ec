import {
  clusterNameLabel,
  controlPlaneNames,
  controlPlaneUidLabel,
  instanceLabel,
  managedByLabel,
  managedByValue,
  type NestedControlPlane,
} from '#apis';
import { clusterOwnerOf } from '#contract';
import { uidOf } from '#kube';
import type { PlaneIdentity } from '#manifests';

/** Who a control plane is: what its names, labels and certificates derive from. The manifests are made from the same. */
export type ControlPlaneIdentity = PlaneIdentity;

/**
 * The name that everything derives from, as it was decided first (`status.baseName`): a control plane that changed it
 * would be two. Before that, the owning Cluster's, or its own.
 */
function baseNameOf(controlPlane: NestedControlPlane): string {
  return controlPlane.status?.baseName ?? clusterOwnerOf(controlPlane)?.name ?? controlPlane.metadata.name ?? '';
}

export function identityOf(controlPlane: NestedControlPlane): ControlPlaneIdentity {
  const base = baseNameOf(controlPlane);
  const uid = uidOf(controlPlane);
  return {
    namespace: controlPlane.metadata.namespace ?? '',
    base,
    uid,
    names: controlPlaneNames(base),
    labels: {
      [clusterNameLabel]: base,
      [managedByLabel]: managedByValue,
      [instanceLabel]: base,
      [controlPlaneUidLabel]: uid,
    },
  };
}
