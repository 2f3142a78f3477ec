import { componentLabel, instanceLabel } from '#apis';
import { isBeingDeleted, resources, type KubeClient, type Pod } from '#kube';

/** A port of a pod. */
export interface PodPort {
  readonly namespace: string;
  readonly pod: string;
  readonly port: number;
}

const defaultPort = 6443;

/** A ready API server pod of a tenant, chosen anew each time; `undefined` while none is ready. */
export async function chooseApiServerPod(
  client: KubeClient,
  { namespace, baseName }: { readonly namespace: string; readonly baseName: string },
  signal: AbortSignal,
): Promise<PodPort | undefined> {
  const labelSelector = `${instanceLabel}=${baseName},${componentLabel}=kube-apiserver`;
  const { items } = await client.list(resources.pods, { namespace, labelSelector }, signal);
  const ready = items.filter(isReadyPod);
  const pod = ready[Math.floor(Math.random() * ready.length)];
  return pod === undefined ? undefined : { namespace, pod: pod.metadata.name ?? '', port: portOf(pod) };
}

/** Ready by its condition and not on its way out. Pure. */
export function isReadyPod(pod: Pod): boolean {
  const ready = pod.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True');
  return ready === true && !isBeingDeleted(pod);
}

/** The first port that the pod's first container declares; 6443 if it declares none. Pure. */
export function portOf(pod: Pod): number {
  return pod.spec?.containers[0]?.ports?.[0]?.containerPort ?? defaultPort;
}
