import type { Deployment, KubeObject, NetworkPolicy } from '#kube';
import { proceed, type StepResult } from '#runtime';
import type { Observed } from './component-reconciler.ts';
import type { Dependencies } from './dependencies.ts';
import { ensureApplied } from './ensure.ts';
import { explainPods } from './pods.ts';
import { firstBlocked, waitFor } from './waits.ts';

/** Waits until `wanted` pods of the wanted specification are available, and none of an older one is left. */
export function waitForRollout({ workload, pods }: Observed, wanted: number): StepResult {
  if (workload === undefined) return waitFor('WaitingForPods', 'the Deployment is not there yet');
  const isDone =
    workload.availableReplicas >= wanted && workload.upToDateReplicas >= wanted && workload.replicas === wanted;
  if (isDone) return proceed();
  const counts = `${workload.availableReplicas} of ${wanted} pods are available, ${workload.upToDateReplicas} up to date`;
  const reason = explainPods(pods);
  return waitFor('WaitingForPods', reason === undefined ? counts : `${counts}; ${reason}`);
}

/** A stateless component's objects, and whose they are. */
export interface DeploymentRequest {
  readonly objects: { readonly deployment: Deployment; readonly networkPolicy: NetworkPolicy };
  readonly owner: KubeObject;
}

/** Makes a component's Deployment so, the fence around its pods first. */
export async function applyDeployment(
  dependencies: Dependencies,
  { objects: { deployment, networkPolicy }, owner }: DeploymentRequest,
  signal: AbortSignal,
): Promise<StepResult> {
  const { networkPolicies, deployments } = dependencies.informers;
  const fence = { informer: networkPolicies, desired: networkPolicy, owner };
  const pods = { informer: deployments, desired: deployment, owner };
  return (
    firstBlocked(await ensureApplied(dependencies, fence, signal), await ensureApplied(dependencies, pods, signal)) ??
    proceed()
  );
}
