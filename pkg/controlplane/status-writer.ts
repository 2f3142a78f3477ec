import { mergePatchBetween, uidOf, keyOf, type Condition, type KubeObject, type ResourceType } from '#kube';
import type { ConditionReason } from './condition-reasons.ts';
import type { ConditionType } from './condition-types.ts';
import { fieldManager, type Dependencies } from './dependencies.ts';

interface WithStatus extends KubeObject {
  readonly status?: object;
}

/**
 * Writes an object's status by one merge patch of what changed; nothing is sent when nothing did. The UID is a
 * precondition, so the status never lands on a namesake.
 */
export async function writeStatus<T extends WithStatus>(
  { client }: Pick<Dependencies, 'client'>,
  { type, object, status }: { readonly type: ResourceType<T>; readonly object: T; readonly status: object },
  signal: AbortSignal,
): Promise<boolean> {
  const patch = mergePatchBetween(object.status ?? {}, status);
  if (patch === undefined) return false;
  const body = { metadata: { uid: uidOf(object) }, status: patch };
  await client.mergePatch({ type, key: keyOf(object) }, body, { subresource: 'status', fieldManager }, signal);
  return true;
}

/** What a controller says in a condition; time and generation are added when it is written. */
export type Statement = Pick<Condition, 'status' | 'reason' | 'message'> & { readonly type: ConditionType };

/** A condition that holds. */
export function holds(type: ConditionType, reason: ConditionReason, message = ''): Statement {
  return { type, status: 'True', reason, message };
}

/** A condition that does not hold. */
export function fails(type: ConditionType, reason: string, message: string): Statement {
  return { type, status: 'False', reason, message };
}
