import type { Deployment, KubeObject } from '#kube';
import type { Observed } from './component-reconciler.ts';
import type { Dependencies } from './dependencies.ts';
import { instanceLabel, componentLabel } from '#apis';
import type { ControlPlaneIdentity } from './identity.ts';

/** A Deployment's counters, and its pods. `component` is the value of the component label. */
export function observeDeployment(
  { informers }: Dependencies,
  { namespace, base }: ControlPlaneIdentity,
  { name, component }: { readonly name: string; readonly component: string },
): Observed {
  const deployment = informers.deployments.get({ namespace, name });
  if (deployment === undefined) return { pods: [] };
  const pods = informers.pods
    .list(namespace)
    .filter(({ metadata: { labels = {} } }) => labels[instanceLabel] === base && labels[componentLabel] === component);
  return { pods, workload: countersOf(deployment), ...generationOf(deployment) };
}

/** The generation that the cache knows of. */
export function generationOf({ metadata }: KubeObject): { readonly generation?: number } {
  return metadata.generation === undefined ? {} : { generation: metadata.generation };
}

function countersOf(deployment: Deployment) {
  const { status = {}, metadata, spec } = deployment;
  const isObserved = status.observedGeneration === metadata.generation;
  const labels = spec?.selector.matchLabels ?? {};
  return {
    replicas: status.replicas ?? 0,
    readyReplicas: status.readyReplicas ?? 0,
    availableReplicas: status.availableReplicas ?? 0,
    upToDateReplicas: isObserved ? (status.updatedReplicas ?? 0) : 0,
    selector: Object.entries(labels)
      .map(([key, value]) => `${key}=${value}`)
      .join(','),
  };
}
