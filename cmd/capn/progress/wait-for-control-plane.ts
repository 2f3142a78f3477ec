import { setTimeout as sleep } from 'node:timers/promises';
import { nestedControlPlanes, type NestedControlPlane } from '#apis';
import { findCondition, formatKey, isKubeError, type KubeClient, type ObjectKey } from '#kube';
import { CliError } from '../cli-error.ts';
import { conditionChanges, waitingFor } from './condition-changes.ts';
import type { LiveLine } from './live-line.ts';

export interface WaitOptions {
  readonly client: KubeClient;
  readonly key: Required<ObjectKey>;
  /** `Available`: until it serves. `gone`: until it is deleted. */
  readonly until: 'Available' | 'gone';
  /** Milliseconds. */
  readonly timeoutMs: number;
  readonly live: LiveLine;
}

const pollMs = 500;

/**
 * Waits until a control plane serves, or is gone, and tells meanwhile what each of its conditions waits for.
 * A super cluster that does not answer for a while only delays it.
 *
 * **Errors** `timedOut`, with what was waited for last; `notFound` when it is deleted while it should come up.
 */
export async function waitForControlPlane(options: WaitOptions, signal: AbortSignal): Promise<void> {
  const { key, until, live } = options;
  const deadline = performance.now() + options.timeoutMs;
  let last: NestedControlPlane | undefined;
  let status = '';
  while (performance.now() < deadline) {
    const answer = await read(options, signal);
    if (answer.kind === 'gone') return whenGone(options);
    if (answer.kind === 'seen') {
      for (const line of conditionChanges(last?.status?.conditions, answer.object.status?.conditions)) live.line(line);
      last = answer.object;
      if (until === 'Available' && serves(last)) return;
      status = waitingFor(last.status?.conditions, until === 'gone' ? 'Deleting' : until);
    } else status = answer.because;
    live.status(status);
    await sleep(pollMs, undefined, { signal });
  }
  throw timedOut(key, until, status);
}

function whenGone({ until, key }: WaitOptions): void {
  if (until === 'gone') return;
  throw new CliError(
    'notFound',
    `NestedControlPlane ${formatKey(key)} was deleted meanwhile`,
    'create it again with: capn create',
  );
}

/** Whether the API server serves what was asked for: the condition speaks of this generation. Pure. */
export function serves({ metadata, status }: NestedControlPlane): boolean {
  const available = findCondition(status?.conditions, 'Available');
  const isCurrent = (available?.observedGeneration ?? metadata.generation) === metadata.generation;
  return available?.status === 'True' && isCurrent && metadata.deletionTimestamp === undefined;
}

type Reading =
  | { readonly kind: 'seen'; readonly object: NestedControlPlane }
  | { readonly kind: 'gone' }
  | { readonly kind: 'unknown'; readonly because: string };

async function read({ client, key }: WaitOptions, signal: AbortSignal): Promise<Reading> {
  try {
    const object = await client.get(nestedControlPlanes, key, signal);
    return object === undefined ? { kind: 'gone' } : { kind: 'seen', object };
  } catch (error) {
    if (isKubeError(error) && error.retry === 'backOff') return { kind: 'unknown', because: error.message };
    throw error;
  }
}

function timedOut(key: ObjectKey, until: WaitOptions['until'], status: string): CliError {
  const goal = until === 'gone' ? 'gone' : 'available';
  return new CliError(
    'timedOut',
    `NestedControlPlane ${formatKey(key)} is not ${goal} yet; last seen: ${status}`,
    `it goes on by itself; see how far it is with: capn describe ${key.name} -n ${key.namespace}, or wait longer with --timeout`,
  );
}
