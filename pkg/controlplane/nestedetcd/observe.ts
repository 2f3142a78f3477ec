import { uidOf, type Pod, type StatefulSet } from '#kube';
import type { Observed } from '../component-reconciler.ts';
import type { Dependencies } from '../dependencies.ts';
import type { ControlPlaneIdentity } from '../identity.ts';
import { generationOf } from '../observe-deployment.ts';

/** The StatefulSet's counters, and its pods. */
export function observeEtcd({ informers }: Dependencies, { namespace, names }: ControlPlaneIdentity): Observed {
  const statefulSet = informers.statefulSets.get({ namespace, name: names.etcd });
  if (statefulSet === undefined) return { pods: [] };
  const pods = informers.pods.byOwner(uidOf(statefulSet));
  const isObserved = statefulSet.status?.observedGeneration === statefulSet.metadata.generation;
  return {
    pods,
    ...generationOf(statefulSet),
    workload: {
      replicas: statefulSet.status?.replicas ?? 0,
      readyReplicas: statefulSet.status?.readyReplicas ?? 0,
      availableReplicas: statefulSet.status?.availableReplicas ?? 0,
      upToDateReplicas: isObserved ? upToDate(statefulSet, pods) : 0,
      selector: selectorText(statefulSet),
    },
  };
}

/** A StatefulSet counts `updatedReplicas` only while it rolls out, so pods are counted by revision. */
function upToDate(statefulSet: StatefulSet, pods: readonly Pod[]): number {
  const revision = statefulSet.status?.updateRevision;
  return pods.filter((pod) => pod.metadata.labels?.['controller-revision-hash'] === revision).length;
}

function selectorText(statefulSet: StatefulSet): string {
  const labels = statefulSet.spec?.selector.matchLabels ?? {};
  return Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(',');
}
