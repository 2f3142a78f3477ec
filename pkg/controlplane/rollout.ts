import { proceed, wait, type StepResult } from '#runtime';
import type { Observed } from './component-reconciler.ts';
import { explainPods } from './pods.ts';

/** Waits until `wanted` pods of the wanted specification are available, and none of an older one is left. */
export function waitForRollout({ workload, pods }: Observed, wanted: number): StepResult {
  if (workload === undefined) return wait('WaitingForPods', 'the Deployment is not there yet');
  const isDone =
    workload.availableReplicas >= wanted && workload.upToDateReplicas >= wanted && workload.replicas === wanted;
  if (isDone) return proceed();
  const counts = `${workload.availableReplicas} of ${wanted} pods are available, ${workload.upToDateReplicas} up to date`;
  const reason = explainPods(pods);
  return wait('WaitingForPods', reason === undefined ? counts : `${counts}; ${reason}`);
}
