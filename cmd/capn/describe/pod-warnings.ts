import { resources, type KubeClient, type KubeEvent, type Pod } from '#kube';
import { podSummary } from './pod-summary.ts';

/** The newest warning about a pod. */
export interface PodWarning {
  readonly pod: string;
  readonly reason: string;
  readonly note: string;
}

/** Times of an event, as its series or its writer gives them. */
interface EventTimes extends KubeEvent {
  readonly eventTime?: string | null;
  readonly deprecatedLastTimestamp?: string | null;
  readonly series?: { readonly lastObservedTime?: string };
}

/** The newest warning about each pod that is not well; healthy pods' old troubles interest nobody. */
export async function readPodWarnings(
  client: KubeClient,
  pods: readonly Pod[],
  signal: AbortSignal,
): Promise<readonly PodWarning[]> {
  const unwell = pods.filter((pod) => !podSummary(pod).isHealthy);
  const found = await Promise.all(
    unwell.map(async ({ metadata: { namespace = '', name: pod = '' } }) => {
      const fieldSelector = `type=Warning,regarding.kind=Pod,regarding.name=${pod}`;
      const { items } = await client.list<EventTimes>(resources.events, { namespace, fieldSelector }, signal);
      const newest = newestOf(items);
      return newest === undefined ? [] : [{ pod, reason: newest.reason ?? '', note: newest.note ?? '' }];
    }),
  );
  return found.flat();
}

/** The event that was seen last. Pure. */
export function newestOf(events: readonly EventTimes[]): KubeEvent | undefined {
  return events.toSorted((a, b) => seenAt(b).localeCompare(seenAt(a)))[0];
}

function seenAt({ series, deprecatedLastTimestamp, eventTime, metadata }: EventTimes): string {
  return series?.lastObservedTime ?? deprecatedLastTimestamp ?? eventTime ?? metadata.creationTimestamp ?? '';
}
