import { clusterNameLabel, nestedControlPlanes, type NestedControlPlane } from '#apis';
import { isKubeError, type KubeClient, type ObjectKey } from '#kube';
import { CliError } from './cli-error.ts';
import { nearNames } from './near-names.ts';

/** The name that everything of a control plane derives from: the owning Cluster's, or its own. */
export function baseNameOf(controlPlane: NestedControlPlane): string {
  return controlPlane.metadata.labels?.[clusterNameLabel] ?? controlPlane.metadata.name ?? '';
}

/**
 * The control plane of that name.
 * **Errors** `notFound`, naming what the user may have meant, or that the provider is not installed.
 */
export async function requireControlPlane(
  client: KubeClient,
  key: Required<ObjectKey>,
  signal: AbortSignal,
): Promise<NestedControlPlane> {
  const found = await client.get(nestedControlPlanes, key, signal);
  if (found !== undefined) return found;
  const others = await listControlPlanes(client, undefined, signal).catch((error: unknown) => {
    // Who may read one namespace only gets no hints from the others.
    if (isKubeError(error, 'FORBIDDEN')) return [];
    throw error;
  });
  throw notFound(key, others);
}

/** All control planes, of one namespace or of all. **Errors** `notFound` when the provider is not installed. */
export async function listControlPlanes(
  client: KubeClient,
  namespace: string | undefined,
  signal: AbortSignal,
): Promise<readonly NestedControlPlane[]> {
  try {
    const { items } = await client.list(nestedControlPlanes, namespace === undefined ? {} : { namespace }, signal);
    return items;
  } catch (error) {
    throw isKubeError(error, 'NOT_FOUND') ? notInstalled(client.server) : error;
  }
}

/** **Errors** the one for a cluster that does not know NestedControlPlane. */
export function notInstalled(server: string): CliError {
  return new CliError(
    'notFound',
    `the cluster at ${server} does not know NestedControlPlane: the provider is not installed in it`,
    'install it with: kubectl apply --server-side -k config/default; or choose another cluster with --kubeconfig or --context',
  );
}

/** The error for a missing control plane, given all that are there. Pure. */
export function notFound(key: Required<ObjectKey>, others: readonly NestedControlPlane[]): CliError {
  const elsewhere = others
    .filter(({ metadata }) => metadata.name === key.name)
    .map(({ metadata }) => metadata.namespace);
  const here = others.flatMap(({ metadata }) => (metadata.namespace === key.namespace ? [metadata.name ?? ''] : []));
  const message = `there is no NestedControlPlane '${key.name}' in namespace '${key.namespace}'`;
  return new CliError('notFound', message, adviceFor(elsewhere, nearNames(key.name, here), here.length));
}

function adviceFor(elsewhere: readonly (string | undefined)[], near: readonly string[], count: number): string {
  if (elsewhere.length > 0) return `one of that name is in ${elsewhere.join(', ')}: add -n ${elsewhere[0]}`;
  if (near.length > 0) return `did you mean ${near.join(' or ')}?`;
  return count === 0 ? 'capn list -A shows those in all namespaces' : 'capn list shows those in this namespace';
}
