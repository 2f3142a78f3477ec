import { adminGroup, syncerUser, type ControlPlaneNames } from '#apis';
import type { CertificateSpec } from './certificate-spec.ts';
import { sortHosts } from './host-names.ts';

/** What the table of leaf certificates depends on. */
export interface LeafInputs {
  readonly names: ControlPlaneNames;
  /** Name of the cluster in kubeconfigs. */
  readonly clusterName: string;
  readonly namespace: string;
  /** UID of the NestedControlPlane: the tenant's identity at the gateway. */
  readonly controlPlaneUid: string;
  /** Cluster IP of the API server's Service in super, which is also `default/kubernetes` in the tenant. */
  readonly serviceAddress: string;
  /** Host of the public endpoint, where there is one; the admin kubeconfig then points to it. */
  readonly endpointHost?: string;
  /** Port of the public endpoint; default 6443. */
  readonly endpointPort?: number;
  /** Further DNS names and addresses for the API server. */
  readonly extraSANs?: readonly string[];
  /** How many members etcd has. */
  readonly etcdMembers: number;
}

/** A leaf certificate of a control plane: who signs it, what it says and why. */
export interface LeafRow {
  readonly secretName: string;
  readonly signedBy: 'ca' | 'etcd' | 'frontProxy' | 'gateway';
  readonly spec: CertificateSpec;
  /** Set where the Secret holds a kubeconfig (key `value`) instead of a plain key pair. */
  readonly kubeconfig?: { readonly clusterName: string; readonly userName: string; readonly server: string };
  readonly why: string;
}

/** Days that an authority lives. */
export const authorityLifetimeDays = 3650;

/** Days that a leaf lives; renewed after two thirds of it. */
export const leafLifetimeDays = 365;

/** The port that the tenant's API server listens on, in its pods and at its Service. */
const apiServerPort = 6443;

/** Where pods of the super cluster reach the tenant's API server. */
export function internalServer(names: ControlPlaneNames, namespace: string): string {
  return `https://${names.apiServer}.${namespace}.svc:${apiServerPort}`;
}

/** A control plane's identity in the certificate that its API server shows to the gateway: a URI name. */
export function controlPlaneUri(uid: string): string {
  return `capn://control-plane/${uid}`;
}

/** All leaf certificates of one control plane: one identity a use, no two components share one. */
export function leafCertificates(inputs: LeafInputs): readonly LeafRow[] {
  return [...etcdCertificates(inputs), ...apiServerCertificates(inputs), ...kubeconfigCertificates(inputs)];
}

type EtcdInputs = Pick<LeafInputs, 'names' | 'namespace' | 'etcdMembers'>;

/** etcd's own certificates, and the one that it hands to its client, the API server. */
export function etcdCertificates(inputs: EtcdInputs): readonly LeafRow[] {
  const { secrets } = inputs.names;
  const row = { signedBy: 'etcd' } as const;
  return [
    {
      ...row,
      secretName: secrets.etcdServer,
      spec: leaf('etcd-server', ['server', 'client'], sortHosts(etcdHosts(inputs))),
      why: "etcd's client port. Also a client: etcd's HTTP gateway dials its own gRPC port with it",
    },
    {
      ...row,
      secretName: secrets.etcdPeer,
      spec: leaf('etcd-peer', ['server', 'client'], sortHosts(etcdHosts(inputs))),
      why: 'members talk to each other with it, in both roles',
    },
    {
      ...row,
      secretName: secrets.apiServerEtcdClient,
      spec: leaf('kube-apiserver-etcd-client', ['client']),
      why: 'the API server as a client of etcd; etcd reports its name, so that another etcd can bring its own',
    },
  ];
}

/** The API server's certificates: what it serves with, and what it shows to kubelets and to aggregated API servers. */
export function apiServerCertificates(inputs: Omit<LeafInputs, 'etcdMembers' | 'clusterName'>): readonly LeafRow[] {
  const { secrets } = inputs.names;
  const identity = { uris: [controlPlaneUri(inputs.controlPlaneUid)] };
  return [
    {
      secretName: secrets.apiServerServing,
      signedBy: 'ca',
      spec: leaf('kube-apiserver', ['server'], sortHosts(apiServerHosts(inputs))),
      why: 'every name and address that the API server is called by, inside the tenant and in super',
    },
    {
      secretName: secrets.apiServerKubeletClient,
      signedBy: 'gateway',
      spec: leaf('kube-apiserver-kubelet-client', ['client'], identity),
      why: "the API server as a client of kubelets: the gateway knows the tenant by the URI and trusts no tenant's CA",
    },
    {
      secretName: secrets.frontProxyClient,
      signedBy: 'frontProxy',
      spec: leaf('front-proxy-client', ['client']),
      why: "the API server as a proxy to the tenant's aggregated API servers",
    },
  ];
}

/** The kubeconfigs: one identity each. */
export function kubeconfigCertificates(
  inputs: Omit<LeafInputs, 'etcdMembers' | 'controlPlaneUid' | 'serviceAddress' | 'extraSANs'>,
): readonly LeafRow[] {
  const { names, namespace, clusterName } = inputs;
  const internal = internalServer(names, namespace);
  const row = { signedBy: 'ca' } as const;
  return [
    {
      ...row,
      secretName: names.secrets.controllerManagerKubeconfig,
      spec: leaf('system:kube-controller-manager', ['client']),
      kubeconfig: { clusterName, userName: 'system:kube-controller-manager', server: internal },
      why: 'the user that Kubernetes binds to its own role',
    },
    {
      ...row,
      secretName: names.secrets.adminKubeconfig,
      spec: leaf('kubernetes-admin', ['client'], { organizations: [adminGroup] }),
      kubeconfig: { clusterName, userName: `${clusterName}-admin`, server: publicServer(inputs) ?? internal },
      why: 'for people and Cluster API. Its group is bound in the tenant and can be revoked, unlike system:masters',
    },
    {
      ...row,
      secretName: names.secrets.syncerKubeconfig,
      spec: leaf(syncerUser, ['client']),
      kubeconfig: { clusterName, userName: syncerUser, server: internal },
      why: 'the syncer, with a ClusterRole of its own in the tenant',
    },
  ];
}

function leaf(
  commonName: string,
  usages: CertificateSpec['usages'],
  more: Partial<CertificateSpec> = {},
): CertificateSpec {
  return { commonName, usages, lifetimeDays: leafLifetimeDays, ...more };
}

function publicServer({
  endpointHost,
  endpointPort = apiServerPort,
}: Pick<LeafInputs, 'endpointHost' | 'endpointPort'>): string | undefined {
  if (endpointHost === undefined) return undefined;
  const host = endpointHost.includes(':') && !endpointHost.startsWith('[') ? `[${endpointHost}]` : endpointHost;
  return `https://${host}:${endpointPort}`;
}

/** A Service (or a pod below one) by all the names that DNS in the super cluster answers to. */
function serviceNames(name: string, namespace: string): string[] {
  return [name, `${name}.${namespace}`, `${name}.${namespace}.svc`, `${name}.${namespace}.svc.cluster.local`];
}

function etcdHosts({ names, namespace, etcdMembers }: EtcdInputs): string[] {
  const members = Array.from({ length: etcdMembers }, (_, index) => `${names.etcd}-${index}.${names.etcd}`);
  return [names.etcd, ...members].flatMap((name) => serviceNames(name, namespace)).concat('localhost', '127.0.0.1');
}

function apiServerHosts(inputs: Omit<LeafInputs, 'etcdMembers' | 'clusterName'>): string[] {
  const { names, namespace, serviceAddress, endpointHost, extraSANs = [] } = inputs;
  return [
    ...serviceNames('kubernetes', 'default'),
    ...serviceNames(names.apiServer, namespace),
    'localhost',
    '127.0.0.1',
    serviceAddress,
    ...(endpointHost === undefined ? [] : [endpointHost]),
    ...extraSANs,
  ];
}
