import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import type { ClusterConfig } from './cluster-config.ts';
import { KubeError } from './errors.ts';
import { inClusterConfig, isInCluster } from './in-cluster-config.ts';
import {
  type Kubeconfig,
  type KubeconfigCluster,
  type KubeconfigUser,
  mergeKubeconfigs,
  parseKubeconfig,
  selectContext,
  withAbsolutePaths,
} from './kubeconfig.ts';
import { pluginCredentials } from './plugin-credentials.ts';

export interface ClusterConfigOptions {
  /** Text of a kubeconfig, from a Secret say. It may not name programs or files: its author need not be trusted. */
  readonly kubeconfigText?: string;
  /** A kubeconfig file. */
  readonly kubeconfigPath?: string;
  /** The service account of the pod that we run in. */
  readonly inCluster?: boolean;
  /** Context within the kubeconfig; default its current-context. */
  readonly context?: string;
}

/**
 * Finds out how to reach a cluster: from the one source given; without any, as kubectl does (`$KUBECONFIG`, else
 * `~/.kube/config`) and last from the pod that we run in.
 *
 * `reload` of the result reads the same source again, and the files and credential plug-ins that it names.
 * **Errors** `INVALID`: what is wrong in which source.
 */
export async function loadClusterConfig(options: ClusterConfigOptions = {}): Promise<ClusterConfig> {
  return { ...(await readClusterConfig(options)), reload: async () => await loadClusterConfig(options) };
}

async function readClusterConfig(options: ClusterConfigOptions): Promise<ClusterConfig> {
  const { kubeconfigText, kubeconfigPath, inCluster, context } = options;
  if (inCluster === true) return await inClusterConfig();
  if (kubeconfigText !== undefined) {
    const config = parseKubeconfig(kubeconfigText, 'text');
    refuseOutsideReferences(config);
    return await configOf(config, context, 'text');
  }
  const paths = kubeconfigPath === undefined ? defaultPaths() : [kubeconfigPath];
  const isGiven = kubeconfigPath !== undefined;
  const configs = (await Promise.all(paths.map(async (path) => await readKubeconfig(path, isGiven)))).filter(
    (config) => config !== undefined,
  );
  if (configs.length === 0 && isInCluster()) return await inClusterConfig();
  if (configs.length === 0) {
    throw invalid(`no kubeconfig at ${paths.join(', ')}, and this is no pod; name one by --kubeconfig or $KUBECONFIG`);
  }
  return await configOf(mergeKubeconfigs(configs), context, paths.join(delimiter));
}

function defaultPaths(): readonly string[] {
  const named = (process.env['KUBECONFIG'] ?? '').split(delimiter).filter((path) => path !== '');
  return named.length === 0 ? [join(homedir(), '.kube', 'config')] : named;
}

async function readKubeconfig(path: string, mustExist: boolean): Promise<Kubeconfig | undefined> {
  try {
    return withAbsolutePaths(parseKubeconfig(await readFile(path, 'utf8'), path), resolve(path));
  } catch (error) {
    if (!mustExist && (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    if (error instanceof KubeError) throw error;
    throw invalid(`kubeconfig ${path} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`);
  }
}

async function configOf(config: Kubeconfig, context: string | undefined, origin: string): Promise<ClusterConfig> {
  const { cluster, user, namespace } = selectContext(config, context, origin);
  return {
    ...clusterPart(cluster, origin),
    ...optional('caData', await pem(cluster, 'certificate-authority', origin)),
    ...(await userPart(user, origin)),
    ...(needsPlugin(user) ? await pluginCredentials(config, context) : {}),
    ...optional('impersonateUser', user.as),
    ...optional('namespace', namespace),
  };
}

function clusterPart(cluster: KubeconfigCluster, origin: string): ClusterConfig {
  const { server = '' } = cluster;
  if (!URL.canParse(server) || !/^https?:$/.test(new URL(server).protocol)) {
    throw invalid(`kubeconfig ${origin}: server '${server}' is no https:// URL`);
  }
  return {
    server,
    ...optional('tlsServerName', cluster['tls-server-name']),
    ...optional('skipTlsVerify', cluster['insecure-skip-tls-verify']),
    ...optional('proxyUrl', cluster['proxy-url']),
  };
}

async function userPart(user: KubeconfigUser, origin: string): Promise<Partial<ClusterConfig>> {
  if (user.username !== undefined) throw invalid(`kubeconfig ${origin}: user names and passwords are not supported`);
  const token = user.tokenFile === undefined ? user.token : await readFileNamed(user.tokenFile, origin);
  return {
    ...optional('certData', await pem(user, 'client-certificate', origin)),
    ...optional('keyData', await pem(user, 'client-key', origin)),
    ...optional('token', token?.trim()),
  };
}

async function pem<Field extends string>(
  row: { readonly [Key in Field | `${Field}-data`]?: string },
  field: Field,
  origin: string,
): Promise<string | undefined> {
  const data = row[`${field}-data`];
  const file = row[field];
  if (data === undefined && file === undefined) return undefined;
  const text = data === undefined ? await readFileNamed(file ?? '', origin) : Buffer.from(data, 'base64').toString();
  if (text.includes('-----BEGIN ')) return text;
  throw invalid(`kubeconfig ${origin}: ${data === undefined ? `${field} is` : `${field}-data is`} no PEM`);
}

async function readFileNamed(path: string, origin: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    throw invalid(`kubeconfig ${origin}: file ${path} that it names cannot be read (${code})`);
  }
}

function needsPlugin(user: KubeconfigUser): boolean {
  return (user.exec ?? user['auth-provider'] ?? null) !== null;
}

/** Text may come from a Secret that a tenant can write: it must not run programs or read files here. */
function refuseOutsideReferences(config: Kubeconfig): void {
  const fields = ['exec', 'auth-provider', 'tokenFile', 'client-certificate', 'client-key', 'certificate-authority'];
  const rows = [...config.users.map((row) => row.user ?? {}), ...config.clusters.map((row) => row.cluster ?? {})];
  const found = fields.find((field) => rows.some((row) => Object.hasOwn(row, field)));
  if (found !== undefined) throw invalid(`kubeconfig text: '${found}' is allowed in kubeconfig files only`);
}

function optional<Key extends keyof ClusterConfig>(
  key: Key,
  value: ClusterConfig[Key] | null,
): Pick<ClusterConfig, Key> {
  return (value === undefined || value === null ? {} : { [key]: value }) as Pick<ClusterConfig, Key>;
}

function invalid(message: string): KubeError {
  return new KubeError(message, { code: 'INVALID' });
}
