import type { NestedControlPlane } from '#apis';
import { clusterOwnerOf, clusters, isControlPlaneOf } from '#contract';
import { isKubeError, type KubeClient } from '#kube';
import { proceed, type StepResult } from '#runtime';
import { writeStatus } from '../status-writer.ts';
import { waitFor } from '../waits.ts';
import type { ControlPlaneScope } from './scope.ts';

/**
 * Decides the base name, once, before anything is made under it. Cluster API sets the owner reference a moment after
 * Cluster and control plane were created, so a Cluster that refers to this control plane is waited for (contract: act
 * only once owned).
 */
export async function decideName(
  { dependencies, controlPlane, identity }: ControlPlaneScope,
  signal: AbortSignal,
): Promise<StepResult> {
  const owner = clusterOwnerOf(controlPlane);
  const decided = controlPlane.status?.baseName;
  if (decided !== undefined && owner !== undefined && owner.name !== decided) {
    return waitFor(
      'ClusterNameMismatch',
      `this control plane was made as ${decided} and is owned by Cluster ${owner.name} now, whose Secrets have other names. Delete it and let the Cluster have a new one, or remove the owner reference.`,
    );
  }
  if (decided !== undefined) return proceed();
  const expected = owner === undefined ? await referringCluster(dependencies.client, controlPlane, signal) : undefined;
  if (expected !== undefined) {
    return waitFor(
      'WaitingForCluster',
      `Cluster ${expected} refers to this control plane but does not own it yet`,
      2000,
    );
  }
  const status = { ...controlPlane.status, baseName: identity.base };
  const { type } = dependencies.informers.controlPlanes;
  await writeStatus(dependencies, { type, object: controlPlane, status }, signal);
  return proceed();
}

async function referringCluster(
  client: KubeClient,
  controlPlane: NestedControlPlane,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    const { items } = await client.list(clusters, { namespace: controlPlane.metadata.namespace ?? '' }, signal);
    return items.find((cluster) => isControlPlaneOf(controlPlane, cluster))?.metadata.name;
  } catch (error) {
    // Without Cluster API there is no such resource.
    if (isKubeError(error, 'NOT_FOUND')) return undefined;
    throw error;
  }
}
