import type { KubeObject } from '#kube';

/** Counters of the workload behind a component, as the super cluster reports them. */
interface WorkloadCounters {
  readonly replicas: number;
  readonly readyReplicas: number;
  readonly availableReplicas: number;
  readonly upToDateReplicas: number;
  readonly selector: string;
}

/** A Deployment or a StatefulSet, as far as both are alike. */
interface Workload extends KubeObject {
  readonly spec?: { readonly selector: { readonly matchLabels?: Readonly<Record<string, string>> } };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly replicas?: number;
    readonly readyReplicas?: number;
    readonly availableReplicas?: number;
  };
}

/** A workload's counters with its generation in the cache, which may be behind the server. */
export interface ObservedWorkload {
  readonly workload: WorkloadCounters;
  readonly generation?: number;
}

/**
 * @param updated pods of the newest template, which the two kinds count in different ways; none are up to date before
 * the workload's controller has looked at the present generation
 */
export function observeWorkload({ metadata, spec, status = {} }: Workload, updated: number): ObservedWorkload {
  const { generation } = metadata;
  const labels = Object.entries(spec?.selector.matchLabels ?? {});
  const workload = {
    replicas: status.replicas ?? 0,
    readyReplicas: status.readyReplicas ?? 0,
    availableReplicas: status.availableReplicas ?? 0,
    upToDateReplicas: status.observedGeneration === generation ? updated : 0,
    selector: labels.map(([key, value]) => `${key}=${value}`).join(','),
  };
  return generation === undefined ? { workload } : { workload, generation };
}
