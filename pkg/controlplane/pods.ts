import { compareVersions, parseVersion } from '#apis';
import type { Pod } from '#kube';
import { versionLabel } from '#manifests';

/** A version that runs and how many ready pods run it. */
export interface RunningVersion {
  readonly version: string;
  readonly replicas: number;
}

/** Whether a pod's Ready condition holds. */
function isPodReady(pod: Pod): boolean {
  return (
    pod.status?.conditions?.some((condition) => condition.type === 'Ready' && condition.status === 'True') === true
  );
}

/** The versions of the ready pods, oldest first. */
export function runningVersions(pods: readonly Pod[]): readonly RunningVersion[] {
  const ready = pods.filter(isPodReady).map((pod) => pod.metadata.labels?.[versionLabel] ?? '');
  const known = [...new Set(ready)].filter((version) => parseVersion(version) !== undefined);
  return known
    .map((version) => ({ version, replicas: ready.filter((other) => other === version).length }))
    .sort((a, b) => compareVersionTexts(a.version, b.version));
}

/** Orders `v1.36.3`-like texts; ones that cannot be read count as oldest. */
export function compareVersionTexts(a: string, b: string): number {
  const none = { major: 0, minor: 0, patch: 0 };
  return compareVersions(parseVersion(a) ?? none, parseVersion(b) ?? none);
}

/**
 * Why pods are not ready, in a sentence for a person: scheduling, image, crash, probe. Undefined when all are.
 * Of several pods the first unready one is told.
 */
export function explainPods(pods: readonly Pod[]): string | undefined {
  const waiting = pods.find((pod) => !isPodReady(pod) && pod.metadata.deletionTimestamp === undefined);
  if (waiting === undefined) return undefined;
  return `pod ${waiting.metadata.name ?? ''}: ${explainPod(waiting)}`;
}

function explainPod(pod: Pod): string {
  const unscheduled = pod.status?.conditions?.find((one) => one.type === 'PodScheduled' && one.status !== 'True');
  if (unscheduled !== undefined)
    return `not scheduled: ${unscheduled.message ?? unscheduled.reason ?? 'no reason given'}`;
  const container = pod.status?.containerStatuses?.find((status) => !status.ready);
  const state = container?.state;
  if (state?.waiting !== undefined) return describe(state.waiting.reason, state.waiting.message);
  if (state?.terminated !== undefined) {
    return describe(`ended with exit code ${state.terminated.exitCode}`, state.terminated.message);
  }
  if (state?.running !== undefined) return 'started, its readiness probe does not succeed yet';
  return `phase ${pod.status?.phase ?? 'unknown'}`;
}

/** Messages of a container can hold what the program printed: cut them, they are for a condition. */
function describe(reason: string | undefined, message: string | undefined): string {
  const text = [reason, message].filter((part) => part !== undefined && part !== '').join(': ');
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
