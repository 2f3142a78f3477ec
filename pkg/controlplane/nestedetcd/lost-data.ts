import type { Pod } from '#kube';

/**
 * What etcd (3.5, 3.6) says last when it has to join an existing cluster, has no data, and finds nobody to ask. It is the
 * message of the ended container, since our pods hand the end of their log on.
 */
const refusal = 'could not retrieve cluster information';

/** Whether a member ended because its volume came up empty. Other crashes (a wrong argument, say) are not that. */
export function foundNoData(pod: Pod): boolean {
  return (pod.status?.containerStatuses ?? []).some(({ ready, state, lastState }) => {
    const message = state?.terminated?.message ?? lastState?.terminated?.message ?? '';
    return !ready && message.includes(refusal);
  });
}
