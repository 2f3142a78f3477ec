import type { Deployment, NetworkPolicy } from '#kube';
import { proceed, type StepResult } from '#runtime';
import type { Component, ComponentScope, Observed } from './component-reconciler.ts';
import { ensureApplied } from './ensure.ts';
import { explainPods } from './pods.ts';
import { firstBlocked, retryMs, waitFor } from './waits.ts';

/** What a rollout has to come to. */
export interface Rollout {
  /** Pods of the wanted specification. */
  readonly wanted: number;
  /** The workload's generation on the server after it was applied. */
  readonly appliedGeneration: number | undefined;
}

/**
 * Whether the cache still shows a workload from before it was applied last: what it says of pods is then of an older
 * specification.
 */
export function isBehind({ generation }: Observed, { appliedGeneration = 0 }: Partial<Rollout>): boolean {
  return (generation ?? 0) < appliedGeneration;
}

/** Waits until `wanted` pods of the wanted specification are available, and none of an older one is left. */
export function waitForRollout(observed: Observed, rollout: Rollout): StepResult {
  const { workload, pods } = observed;
  const { wanted } = rollout;
  if (workload === undefined || isBehind(observed, rollout)) {
    return waitFor('WaitingForPods', 'the new specification was applied just now');
  }
  const isDone =
    workload.availableReplicas >= wanted && workload.upToDateReplicas >= wanted && workload.replicas === wanted;
  if (isDone) return proceed();
  const counts = `${workload.availableReplicas} of ${wanted} pods are available, ${workload.upToDateReplicas} up to date`;
  const reason = explainPods(pods);
  return waitFor('WaitingForPods', reason === undefined ? counts : `${counts}; ${reason}`);
}

/** A stateless component's objects. */
interface DeploymentObjects {
  readonly deployment: Deployment;
  readonly networkPolicy: NetworkPolicy;
}

/** Makes a component's Deployment so, the fence around its pods first, and notes the generation that came of it. */
export async function applyDeployment<T extends Component>(
  scope: ComponentScope<T>,
  { deployment, networkPolicy }: DeploymentObjects,
  signal: AbortSignal,
): Promise<StepResult> {
  const { dependencies, component: owner } = scope;
  const { networkPolicies, deployments } = dependencies.informers;
  const fence = await ensureApplied(dependencies, { informer: networkPolicies, desired: networkPolicy, owner }, signal);
  const pods = await ensureApplied(dependencies, { informer: deployments, desired: deployment, owner }, signal);
  if (pods.state === 'blocked') return waitFor(pods.reason, pods.message, retryMs);
  scope.appliedGeneration = pods.object.metadata.generation;
  return firstBlocked(fence) ?? proceed();
}
