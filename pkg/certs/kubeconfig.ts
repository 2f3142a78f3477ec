import { parse, stringify } from 'yaml';
import type { Finding } from './finding.ts';
import { inspectCertificate, type ExpectedCertificate } from './inspect.ts';

/** What a kubeconfig with a client certificate is made from. Texts are PEM. */
export interface KubeconfigInput {
  readonly clusterName: string;
  readonly userName: string;
  /** URL of the API server. */
  readonly server: string;
  readonly caPem: string;
  readonly certificate: string;
  readonly privateKey: string;
  /** Name to verify the serving certificate against, where `server` is not in it. */
  readonly tlsServerName?: string;
  /** Default namespace of the context. */
  readonly namespace?: string;
}

const base64 = (text: string) => Buffer.from(text).toString('base64');

/**
 * Renders a kubeconfig of one cluster, one user and the context `<user>@<cluster>`, named as Cluster API's kubeadm
 * control plane names them. The result holds a private key.
 */
export function renderKubeconfig(input: KubeconfigInput): string {
  const { clusterName, userName, server, tlsServerName, namespace } = input;
  const context = `${userName}@${clusterName}`;
  const cluster = {
    'certificate-authority-data': base64(input.caPem),
    server,
    ...(tlsServerName === undefined ? {} : { 'tls-server-name': tlsServerName }),
  };
  const user = {
    'client-certificate-data': base64(input.certificate),
    'client-key-data': base64(input.privateKey),
  };
  const inContext = { cluster: clusterName, user: userName, ...(namespace === undefined ? {} : { namespace }) };
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: clusterName, cluster }],
    users: [{ name: userName, user }],
    contexts: [{ name: context, context: inContext }],
    'current-context': context,
  };
  return stringify(config, { lineWidth: 0 });
}

/** What a kubeconfig of ours is compared with. */
export interface ExpectedKubeconfig extends ExpectedCertificate {
  readonly kubeconfig: Pick<KubeconfigInput, 'clusterName' | 'userName' | 'server'>;
}

interface ParsedKubeconfig {
  readonly clusters?: readonly { readonly name?: string; readonly cluster?: Readonly<Record<string, string>> }[];
  readonly users?: readonly { readonly name?: string; readonly user?: Readonly<Record<string, string>> }[];
}

/** Says why a kubeconfig that {@link renderKubeconfig} made has to be made anew, or undefined if it is good. */
export function inspectKubeconfig(text: string, { kubeconfig, ...expected }: ExpectedKubeconfig): Finding | undefined {
  const config = parseKubeconfig(text);
  const cluster = config?.clusters?.[0];
  const user = config?.users?.[0];
  if (cluster === undefined || user === undefined) {
    return { problem: 'unreadable', message: 'not a kubeconfig of one cluster and one user' };
  }
  const is = { clusterName: cluster.name, userName: user.name, server: cluster.cluster?.['server'] };
  const authority = decode(cluster.cluster?.['certificate-authority-data']);
  if (
    is.clusterName !== kubeconfig.clusterName ||
    is.userName !== kubeconfig.userName ||
    is.server !== kubeconfig.server
  ) {
    return { problem: 'specChanged', message: 'names or server changed since it was made' };
  }
  if (authority !== expected.ca.certificate) return { problem: 'wrongIssuer', message: 'it trusts another authority' };
  const pair = {
    certificate: decode(user.user?.['client-certificate-data']),
    privateKey: decode(user.user?.['client-key-data']),
  };
  return inspectCertificate(pair, expected);
}

/** PEM of the client certificate in a kubeconfig that {@link renderKubeconfig} made; undefined if it is not one. */
export function certificateOfKubeconfig(text: string): string | undefined {
  const certificate = decode(parseKubeconfig(text)?.users?.[0]?.user?.['client-certificate-data']);
  return certificate === '' ? undefined : certificate;
}

function parseKubeconfig(text: string): ParsedKubeconfig | undefined {
  try {
    const parsed: unknown = parse(text);
    return typeof parsed === 'object' && parsed !== null ? parsed : undefined;
  } catch {
    return undefined;
  }
}

function decode(base64Text: string | undefined): string {
  return Buffer.from(base64Text ?? '', 'base64').toString('utf8');
}
