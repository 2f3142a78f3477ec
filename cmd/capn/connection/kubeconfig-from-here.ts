import type { NestedControlPlane } from '#apis';
import { requireControlPlane } from '../control-plane.ts';
import type { Session } from '../session.ts';
import { ensureForwarder } from './ensure-forwarder.ts';
import { isReachable } from './is-reachable.ts';
import { clusterOf, readTenantKubeconfig, throughLocalPort, type TenantKubeconfig } from './tenant-kubeconfig.ts';

export interface KubeconfigFromHere {
  readonly kubeconfig: TenantKubeconfig;
  /** The local port of the background forwarder, where the tenant's own address cannot be reached. */
  readonly port?: number;
}

type SuperAccess = Pick<Session, 'client' | 'source'> & { readonly context?: string };

/**
 * A kubeconfig of the tenant that works from this machine: as the Secret says if that address answers, else through a
 * port-forward in the background.
 * **Errors** those of `requireControlPlane`, `readTenantKubeconfig` and `ensureForwarder`.
 */
export async function kubeconfigFromHere(
  access: SuperAccess,
  key: { readonly namespace: string; readonly name: string },
  signal: AbortSignal,
): Promise<KubeconfigFromHere> {
  const controlPlane = await requireControlPlane(access.client, key, signal);
  const kubeconfig = await readTenantKubeconfig(access.client, controlPlane, signal);
  if (await isReachable(clusterOf(kubeconfig), signal)) return { kubeconfig };
  const port = await forwarderPort(access, controlPlane, signal);
  return { kubeconfig: throughLocalPort(kubeconfig, port), port };
}

async function forwarderPort(
  access: SuperAccess,
  controlPlane: NestedControlPlane,
  signal: AbortSignal,
): Promise<number> {
  const { source, context } = access;
  const superFlags = [
    ...(source.kind === 'usual' ? [] : ['--kubeconfig', source.path]),
    ...(context === undefined ? [] : ['--context', context]),
  ];
  return await ensureForwarder({ controlPlane, superFlags }, signal);
}
