import { dirname, resolve } from 'node:path';
import { isMap, parseDocument } from 'yaml';
import { KubeError } from './errors.ts';

/** The parts of a kubeconfig that this project reads; a later file adds what the earlier ones do not name. */
export interface Kubeconfig {
  readonly 'current-context'?: string;
  readonly clusters: readonly { readonly name: string; readonly cluster?: KubeconfigCluster }[];
  readonly users: readonly { readonly name: string; readonly user?: KubeconfigUser }[];
  readonly contexts: readonly { readonly name: string; readonly context?: KubeconfigContext }[];
}

export interface KubeconfigCluster {
  readonly server?: string;
  readonly 'certificate-authority'?: string;
  readonly 'certificate-authority-data'?: string;
  readonly 'insecure-skip-tls-verify'?: boolean;
  readonly 'tls-server-name'?: string;
  readonly 'proxy-url'?: string;
}

export interface KubeconfigUser {
  readonly 'client-certificate'?: string;
  readonly 'client-certificate-data'?: string;
  readonly 'client-key'?: string;
  readonly 'client-key-data'?: string;
  readonly token?: string;
  readonly tokenFile?: string;
  readonly username?: string;
  readonly as?: string;
  readonly exec?: unknown;
  readonly 'auth-provider'?: unknown;
}

interface KubeconfigContext {
  readonly cluster?: string;
  readonly user?: string;
  readonly namespace?: string;
}

const fileFields = ['certificate-authority', 'client-certificate', 'client-key', 'tokenFile'] as const;

/**
 * Parses a kubeconfig's text.
 * @param origin where it is from, for messages
 * **Errors** `INVALID`; says the line, never the text, for there are keys in it.
 */
export function parseKubeconfig(text: string, origin: string): Kubeconfig {
  const document = parseDocument(text, { prettyErrors: true });
  const [fault] = document.errors;
  if (fault !== undefined) throw invalid(`${origin}, line ${fault.linePos?.[0].line ?? '?'}: not YAML (${fault.code})`);
  if (!isMap(document.contents)) throw invalid(`${origin}: not a kubeconfig, for it is no map of fields`);
  const config = document.toJS() as Partial<Kubeconfig>;
  return {
    ...config,
    clusters: namedIn(config.clusters),
    users: namedIn(config.users),
    contexts: namedIn(config.contexts),
  };
}

/** Makes the paths of files within a kubeconfig absolute, as seen from the kubeconfig's own folder. */
export function withAbsolutePaths(config: Kubeconfig, file: string): Kubeconfig {
  const absolute = <T extends object>(row: T): T => {
    const found = Object.entries(row).filter(([field]) => (fileFields as readonly string[]).includes(field));
    return {
      ...row,
      ...Object.fromEntries(found.map(([field, path]) => [field, resolve(dirname(file), String(path))])),
    };
  };
  return {
    ...config,
    clusters: config.clusters.map((row) => ({ ...row, cluster: absolute(row.cluster ?? {}) })),
    users: config.users.map((row) => ({ ...row, user: absolute(row.user ?? {}) })),
  };
}

/** Joins kubeconfigs as kubectl does with `$KUBECONFIG`: the first to name a thing wins. */
export function mergeKubeconfigs(configs: readonly Kubeconfig[]): Kubeconfig {
  const current = configs.map((config) => config['current-context']).find((name) => (name ?? '') !== '');
  return {
    ...(current === undefined ? {} : { 'current-context': current }),
    clusters: firstOfEachName(configs.flatMap((config) => config.clusters)),
    users: firstOfEachName(configs.flatMap((config) => config.users)),
    contexts: firstOfEachName(configs.flatMap((config) => config.contexts)),
  };
}

/** The cluster and user of a context. **Errors** `INVALID` naming what is missing and what there is. */
export function selectContext(
  config: Kubeconfig,
  wanted: string | undefined,
  origin: string,
): { readonly cluster: KubeconfigCluster; readonly user: KubeconfigUser; readonly namespace?: string } {
  const name = wanted ?? config['current-context'] ?? '';
  if (name === '') throw invalid(`${origin}: no current-context is set; choose one of ${namesOf(config.contexts)}`);
  const context = config.contexts.find((row) => row.name === name)?.context;
  if (context === undefined) throw invalid(`${origin}: no context '${name}'; there is ${namesOf(config.contexts)}`);
  const cluster = config.clusters.find((row) => row.name === context.cluster)?.cluster;
  if (cluster === undefined) {
    throw invalid(
      `${origin}: context '${name}' names cluster '${context.cluster ?? ''}'; there is ${namesOf(config.clusters)}`,
    );
  }
  const user = config.users.find((row) => row.name === context.user)?.user ?? {};
  return { cluster, user, ...(context.namespace === undefined ? {} : { namespace: context.namespace }) };
}

function namedIn<T extends { readonly name: string }>(rows: readonly T[] | undefined): readonly T[] {
  const given: unknown = rows;
  return Array.isArray(given) ? ((given as (T | null)[]).filter((row) => typeof row?.name === 'string') as T[]) : [];
}

function firstOfEachName<T extends { readonly name: string }>(rows: readonly T[]): readonly T[] {
  return rows.filter((row, index) => rows.findIndex(({ name }) => name === row.name) === index);
}

function namesOf(rows: readonly { readonly name: string }[]): string {
  return rows.length === 0 ? 'none' : rows.map(({ name }) => name).join(', ');
}

function invalid(message: string): KubeError {
  return new KubeError(`kubeconfig ${message}`, { code: 'INVALID' });
}
