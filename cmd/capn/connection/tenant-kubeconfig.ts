import { controlPlaneNames, type NestedControlPlane } from '#apis';
import { resources, type KubeClient } from '#kube';
import { parse, stringify } from 'yaml';
import { CliError } from '../cli-error.ts';
import { baseNameOf } from '../control-plane.ts';

/** A named entry of a kubeconfig's lists. */
type NamedEntry<Field extends string, Value> = { readonly name: string } & { readonly [Key in Field]: Value };

export interface ClusterEntry {
  readonly server: string;
  readonly 'certificate-authority-data'?: string;
  readonly 'tls-server-name'?: string;
}

/** A kubeconfig as this provider writes it: one cluster, one user, one context. */
export interface TenantKubeconfig {
  readonly apiVersion: string;
  readonly kind: string;
  readonly 'current-context': string;
  readonly clusters: readonly NamedEntry<'cluster', ClusterEntry>[];
  readonly users: readonly NamedEntry<'user', object>[];
  readonly contexts: readonly NamedEntry<
    'context',
    { readonly cluster: string; readonly user: string; readonly namespace?: string }
  >[];
}

/**
 * Reads the admin kubeconfig of a tenant from its Secret (Cluster API contract: `<name>-kubeconfig`, key `value`).
 * **Errors** `notFound` when the Secret is not there yet, saying what is waited for.
 */
export async function readTenantKubeconfig(
  client: KubeClient,
  controlPlane: NestedControlPlane,
  signal: AbortSignal,
): Promise<TenantKubeconfig> {
  const { namespace = '', name = '' } = controlPlane.metadata;
  const secretName = controlPlaneNames(baseNameOf(controlPlane)).secrets.adminKubeconfig;
  const secret = await client.get(resources.secrets, { namespace, name: secretName }, signal);
  const value = secret?.data?.['value'];
  if (value !== undefined) return parseTenantKubeconfig(Buffer.from(value, 'base64').toString(), secretName);
  throw new CliError(
    'notFound',
    `control plane '${name}' has no kubeconfig yet: Secret ${namespace}/${secretName} is ${secret === undefined ? 'not there' : 'without the key value'}`,
    `see what it waits for with: capn describe ${name} -n ${namespace}`,
  );
}

/** **Errors** `failed` naming the Secret, never its content. Pure. */
export function parseTenantKubeconfig(text: string, secretName: string): TenantKubeconfig {
  const parsed = parseQuietly(text) as Partial<TenantKubeconfig> | undefined;
  if (parsed?.clusters?.[0]?.cluster.server !== undefined && parsed.users?.[0] !== undefined)
    return parsed as TenantKubeconfig;
  throw new CliError(
    'failed',
    `Secret ${secretName} holds no kubeconfig under the key value`,
    `delete the Secret; the provider writes it anew`,
  );
}

function parseQuietly(text: string): unknown {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

/** The cluster entry that its current context uses. Pure. */
export function clusterOf(kubeconfig: TenantKubeconfig): ClusterEntry {
  const context = kubeconfig.contexts.find(({ name }) => name === kubeconfig['current-context']);
  const named = kubeconfig.clusters.find(({ name }) => name === context?.context.cluster);
  return (named ?? kubeconfig.clusters[0])?.cluster ?? { server: '' };
}

/** The same kubeconfig, to be used through a forwarder on 127.0.0.1; the certificate is checked as before. Pure. */
export function throughLocalPort(kubeconfig: TenantKubeconfig, port: number): TenantKubeconfig {
  const clusters = kubeconfig.clusters.map(({ name, cluster }) => ({
    name,
    cluster: { ...cluster, server: `https://127.0.0.1:${port}`, 'tls-server-name': serverNameOf(cluster) },
  }));
  return { ...kubeconfig, clusters };
}

/** The name to expect in the server's certificate. Pure. */
export function serverNameOf(cluster: ClusterEntry): string {
  return cluster['tls-server-name'] ?? new URL(cluster.server).hostname.replace(/^\[|\]$/g, '');
}

/** As YAML text. */
export function kubeconfigText(kubeconfig: TenantKubeconfig): string {
  return stringify(kubeconfig, { lineWidth: 0 });
}
