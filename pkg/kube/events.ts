import { createHash } from 'node:crypto';
import type { KubeClient } from './client.ts';
import { formatMicroTime } from './conditions.ts';
import { isKubeError } from './errors.ts';
import { type KubeObject, keyOf } from './objects.ts';
import { type KubeEvent, resources } from './resource-types.ts';

/** What an event says; see `kubectl describe` of its object. */
export interface EventRecord {
  /** What it is about; must have come from an API server. */
  readonly object: KubeObject;
  readonly type: 'Normal' | 'Warning';
  /** One UpperCamel word for programs. */
  readonly reason: string;
  /** What we did or tried, one UpperCamel word. */
  readonly action: string;
  /** A sentence for people, without secrets; cut to 1 kB. */
  readonly note: string;
  /** Who says so: `controlplane.cluster.x-k8s.io/manager`. */
  readonly reportingController: string;
  /** When; default now. */
  readonly at?: Date;
}

interface SeriesEvent extends KubeEvent {
  readonly series?: { readonly count: number };
}

/**
 * Records an event (events.k8s.io/v1) with the object. The same words about the same object are one event whose
 * series counts up, however often they are said; the server forgets it an hour after the last time.
 *
 * Best effort: a failure is no error, for what an event tells must not depend on it. Says whether it was written.
 */
export async function recordEvent(
  client: KubeClient,
  record: EventRecord,
  signal: AbortSignal,
): Promise<'recorded' | 'dropped'> {
  const { at = new Date() } = record;
  const event = eventOf(record, at);
  try {
    const before = await client.get<SeriesEvent>(resources.events, keyOf(event), signal);
    if (before === undefined) await client.create(resources.events, event, signal);
    else await countUp(client, { before, at }, signal);
    return 'recorded';
  } catch (error) {
    if (isKubeError(error)) return 'dropped';
    throw error;
  }
}

async function countUp(
  client: KubeClient,
  { before, at }: { readonly before: SeriesEvent; readonly at: Date },
  signal: AbortSignal,
): Promise<void> {
  const series = { count: (before.series?.count ?? 1) + 1, lastObservedTime: formatMicroTime(at) };
  await client.mergePatch({ type: resources.events, key: keyOf(before) }, { series }, {}, signal);
}

function eventOf(record: EventRecord, at: Date): KubeEvent & { readonly eventTime: string } {
  const { object, type, reason, action, note, reportingController } = record;
  const { apiVersion, kind, metadata } = object;
  const { namespace, name = '', uid, resourceVersion } = metadata;
  return {
    // Cluster-scoped objects have their events in `default`, where kubectl looks for them.
    metadata: { namespace: namespace ?? 'default', name: `${name.slice(0, 200)}.${digestOf(record)}` },
    eventTime: formatMicroTime(at),
    type,
    reason,
    action,
    reportingController,
    note: note.length <= 1024 ? note : `${note.slice(0, 1020)}…`,
    reportingInstance: reportingController.slice(0, 128),
    regarding: { apiVersion, kind, namespace, name, uid, resourceVersion },
  } as KubeEvent & { readonly eventTime: string };
}

function digestOf({ object, type, reason, action, note, reportingController }: EventRecord): string {
  const words = [object.metadata.uid, type, reason, action, note, reportingController];
  return createHash('sha256').update(JSON.stringify(words)).digest('hex').slice(0, 16);
}
