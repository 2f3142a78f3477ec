import { recordEvent, type Condition, type KubeClient, type KubeObject } from '#kube';
import { fieldManager } from './dependencies.ts';

/** The condition of an object before and after a reconcile. */
export interface ConditionChange {
  readonly object: KubeObject;
  readonly before: Pick<Condition, 'reason'> | undefined;
  readonly after: Pick<Condition, 'status' | 'reason' | 'message'>;
}

/**
 * Tells on the object itself what it waits for now, or that it serves: one event a change of reason. What only takes
 * its time is Normal, what somebody has to look at is a Warning.
 */
export async function tellChange(
  client: KubeClient,
  { object, before, after }: ConditionChange,
  signal: AbortSignal,
): Promise<void> {
  if (before?.reason === after.reason) return;
  const isNormal = after.status === 'True' || after.reason.startsWith('WaitingFor') || after.reason === 'Reconciling';
  await recordEvent(
    client,
    {
      object,
      type: isNormal ? 'Normal' : 'Warning',
      reason: after.reason,
      action: 'Reconcile',
      note: after.message === '' ? `The ${object.kind ?? 'object'} serves` : after.message,
      reportingController: fieldManager,
    },
    signal,
  );
}
