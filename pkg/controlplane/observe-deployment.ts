import type { Observed } from './component-reconciler.ts';
import type { Dependencies } from './dependencies.ts';
import { instanceLabel, componentLabel } from '#apis';
import type { ControlPlaneIdentity } from './identity.ts';
import { observeWorkload } from './workload-counters.ts';

/** A Deployment's counters, and its pods. `component` is the value of the component label. */
export function observeDeployment(
  { informers }: Dependencies,
  { namespace, base }: ControlPlaneIdentity,
  { name, component }: { readonly name: string; readonly component: string },
): Observed {
  const deployment = informers.deployments.get({ namespace, name });
  if (deployment === undefined) return { pods: [] };
  const pods = informers.pods
    .list(namespace)
    .filter(({ metadata: { labels = {} } }) => labels[instanceLabel] === base && labels[componentLabel] === component);
  return { pods, ...observeWorkload(deployment, deployment.status?.updatedReplicas ?? 0) };
}
