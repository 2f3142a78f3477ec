import { uidOf, type Pod, type StatefulSet } from '#kube';
import type { Observed } from '../component-reconciler.ts';
import type { Dependencies } from '../dependencies.ts';
import type { ControlPlaneIdentity } from '../identity.ts';
import { observeWorkload } from '../workload-counters.ts';

/** The StatefulSet's counters, and its pods. */
export function observeEtcd({ informers }: Dependencies, { namespace, names }: ControlPlaneIdentity): Observed {
  const statefulSet = informers.statefulSets.get({ namespace, name: names.etcd });
  if (statefulSet === undefined) return { pods: [] };
  const pods = informers.pods.byOwner(uidOf(statefulSet));
  return { pods, ...observeWorkload(statefulSet, upToDate(statefulSet, pods)) };
}

/** A StatefulSet counts `updatedReplicas` only while it rolls out, so pods are counted by revision. */
function upToDate(statefulSet: StatefulSet, pods: readonly Pod[]): number {
  const revision = statefulSet.status?.updateRevision;
  return pods.filter((pod) => pod.metadata.labels?.['controller-revision-hash'] === revision).length;
}
