import { findCondition, type Condition, type KubeObject } from '#kube';
import { proceed, type Informer, type StepResult } from '#runtime';
import { ensureApplied } from '../ensure.ts';
import { firstBlocked, waitFor } from '../waits.ts';
import type { ConditionReason } from '../condition-reasons.ts';
import type { ControlPlaneScope } from './scope.ts';

/** A component object, as far as its control plane reads it. */
export interface Child extends KubeObject {
  readonly status?: { readonly observedGeneration?: number; readonly conditions?: readonly Condition[] };
}

/** The component to make so, and the reason to give while it does not serve. */
export interface ChildRequest<T extends Child> {
  readonly informer: Informer<T>;
  readonly desired: KubeObject;
  readonly reason: ConditionReason;
}

/** Makes a component's object so and waits until its controller says that it serves *this* generation. */
export async function applyChild<T extends Child>(
  { dependencies, controlPlane }: ControlPlaneScope,
  { informer, desired, reason }: ChildRequest<T>,
  signal: AbortSignal,
): Promise<StepResult> {
  const ensured = await ensureApplied<T>(dependencies, { informer, desired, owner: controlPlane }, signal);
  if (ensured.state === 'blocked') return firstBlocked(ensured) ?? proceed();
  const obstacle = notServing(ensured.object);
  return obstacle === undefined
    ? proceed()
    : waitFor(reason, `${informer.type.kind}: ${obstacle.reason}: ${obstacle.message}`);
}

/** Why a component does not serve its present specification; undefined if it does. */
export function notServing(child: Child): Pick<Condition, 'reason' | 'message'> | undefined {
  const ready = findCondition(child.status?.conditions, 'Ready');
  if (ready === undefined || child.status?.observedGeneration !== child.metadata.generation) {
    return { reason: 'Reconciling', message: 'its controller has not looked at it yet' };
  }
  return ready.status === 'True' ? undefined : ready;
}
