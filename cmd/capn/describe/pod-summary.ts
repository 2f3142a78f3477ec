import { isBeingDeleted, type Pod } from '#kube';

/** A pod in a few words: phase or what stops it, containers that are ready, restarts. Pure. */
export function podSummary(pod: Pod): { readonly text: string; readonly isHealthy: boolean } {
  const containers = pod.status?.containerStatuses ?? [];
  const ready = containers.filter((container) => container.ready).length;
  const wanted = pod.spec?.containers.length ?? containers.length;
  const restarts = containers.reduce((sum, container) => sum + container.restartCount, 0);
  const parts = [`${stateOf(pod)} ${ready}/${wanted}`, ...(restarts === 0 ? [] : [`${restarts} restarts`])];
  return { text: parts.join(', '), isHealthy: ready === wanted && wanted > 0 && !isBeingDeleted(pod) };
}

/** The first reason that a container waits or ended badly; otherwise why the pod is not scheduled; otherwise its phase. */
function stateOf(pod: Pod): string {
  if (isBeingDeleted(pod)) return 'Terminating';
  const statuses = [...(pod.status?.initContainerStatuses ?? []), ...(pod.status?.containerStatuses ?? [])];
  const reasons = statuses.flatMap(({ state }) => {
    const reason =
      state?.waiting?.reason ?? (state?.terminated?.exitCode === 0 ? undefined : state?.terminated?.reason);
    return reason === undefined ? [] : [reason];
  });
  const unscheduled = pod.status?.conditions?.find(({ type, status }) => type === 'PodScheduled' && status === 'False');
  return reasons[0] ?? unscheduled?.reason ?? pod.status?.phase ?? 'Unknown';
}
