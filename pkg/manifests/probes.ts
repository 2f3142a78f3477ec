import type { V1HTTPGetAction, V1Probe } from '@kubernetes/client-node';
import type { Raw } from '#kube';

/**
 * What a probe asks. The kubelet asks the pod's own address: a `host` of 127.0.0.1 would be the node, and whatever
 * listens there.
 */
export type ProbeTarget = Required<Pick<Raw<V1HTTPGetAction>, 'path' | 'port' | 'scheme'>>;

/** A start may take this long (seconds) before it counts as failed: images are there, but a big database may load. */
const longestStartSeconds = 300;

/** Asks every second, so that a component is taken as started as soon as it is; at most five minutes. */
export function startupProbe(httpGet: ProbeTarget): Raw<V1Probe> {
  return { httpGet, periodSeconds: 1, timeoutSeconds: 5, failureThreshold: longestStartSeconds };
}

/** Restarts after 80 seconds without an answer: a restart makes an overloaded component worse. */
export function livenessProbe(httpGet: ProbeTarget): Raw<V1Probe> {
  return { httpGet, periodSeconds: 10, timeoutSeconds: 15, failureThreshold: 8 };
}

/** Takes a pod out of its Service within 15 seconds. (The first look follows the start-up probe's success at once.) */
export function readinessProbe(httpGet: ProbeTarget): Raw<V1Probe> {
  return { httpGet, periodSeconds: 5, timeoutSeconds: 5, failureThreshold: 3 };
}
