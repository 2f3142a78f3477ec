import { resourceType, type KubeObject } from '#kube';
import { apiServerService, extraSANs } from './api-server-schema.ts';
import { componentSettings, replicasField } from './component-schema.ts';
import { etcdReplicas, etcdStorage } from './etcd-schema.ts';
import type { KindDefinition, PrinterColumn } from './kind-definition.ts';
import { endpoint } from './nested-control-plane.ts';
import { list, object, optional, string, type Infer } from './schema.ts';
import { certificates, commonStatus, versions } from './status-schema.ts';
import { versionField } from './version-field.ts';

const apiVersion = 'controlplane.cluster.x-k8s.io/v1beta1';

const controlPlaneName = string({
  description:
    'Name that the Secrets and objects of this control plane derive from: the Cluster, or the NestedControlPlane where there is none.',
  minLength: 1,
  maxLength: 63,
});

/** Where etcd is and how to talk to it: what a NestedEtcd reports and a NestedAPIServer takes. */
const etcdEndpoints = list(
  string({ description: 'A URL such as https://team-a-etcd-0.team-a-etcd.default.svc:2379.', maxLength: 512 }),
  { description: "Client URLs of etcd's members.", kind: 'set', maxItems: 9 },
);

const etcdSpec = object(
  {
    controlPlaneName,
    version: versionField("The tenant's Kubernetes version; it decides the etcd release."),
    replicas: etcdReplicas,
    storage: etcdStorage,
    ...componentSettings('etcd'),
  },
  { description: 'What the etcd of one control plane should be.' },
);

const etcdStatus = object(
  {
    ...commonStatus('Members of etcd'),
    certificates,
    versions: optional(versions),
    endpoints: optional(etcdEndpoints),
    clientSecretName: optional(
      string({
        description: 'Secret with the client certificate for the API server (tls.crt, tls.key, ca.crt).',
        maxLength: 253,
      }),
    ),
    clusterID: optional(string({ description: 'Identity of the etcd cluster, in hexadecimal.', maxLength: 32 })),
    etcdVersion: optional(string({ description: 'The etcd release that runs.', maxLength: 32 })),
  },
  { description: 'What is true of etcd now.' },
);

const apiServerSpec = object(
  {
    controlPlaneName,
    version: versionField('The Kubernetes version.'),
    replicas: replicasField('Pods of kube-apiserver, 1 (default) to 7.'),
    serviceCIDR: string({ description: "The tenant's range of Service addresses.", maxLength: 18 }),
    serviceName: string({ description: 'The Service in front of the pods.', maxLength: 63 }),
    serviceAddress: string({
      description: 'Its cluster IP, which is also `default/kubernetes` in the tenant.',
      maxLength: 45,
    }),
    endpoint,
    etcd: object(
      {
        endpoints: etcdEndpoints,
        clientSecretName: string({ description: 'Secret with tls.crt, tls.key and ca.crt.', maxLength: 253 }),
      },
      { description: 'The etcd to use.' },
    ),
    service: apiServerService,
    extraSANs: optional(extraSANs),
    ...componentSettings('apiServer'),
  },
  { description: 'What the kube-apiserver of one control plane should be.' },
);

const apiServerStatus = object(
  { ...commonStatus('Pods of kube-apiserver'), certificates, versions: optional(versions) },
  { description: 'What is true of kube-apiserver now.' },
);

const controllerManagerSpec = object(
  {
    controlPlaneName,
    version: versionField('The Kubernetes version.'),
    replicas: replicasField('Pods of kube-controller-manager, one of which leads: 1 (default) to 7.'),
    serviceCIDR: string({ description: "The tenant's range of Service addresses.", maxLength: 18 }),
    kubeconfigSecretName: string({ description: 'Secret with the kubeconfig under the key `value`.', maxLength: 253 }),
    ...componentSettings('controllerManager'),
  },
  { description: 'What the kube-controller-manager of one control plane should be.' },
);

const controllerManagerStatus = object(
  { ...commonStatus('Pods of kube-controller-manager'), versions: optional(versions) },
  { description: 'What is true of kube-controller-manager now.' },
);

export type NestedEtcdSpec = Infer<typeof etcdSpec>;
export type NestedEtcdStatus = Infer<typeof etcdStatus>;
export type NestedAPIServerSpec = Infer<typeof apiServerSpec>;
export type NestedAPIServerStatus = Infer<typeof apiServerStatus>;
export type NestedControllerManagerSpec = Infer<typeof controllerManagerSpec>;
export type NestedControllerManagerStatus = Infer<typeof controllerManagerStatus>;

/** The etcd of one control plane. Made by the NestedControlPlane. */
export interface NestedEtcd extends KubeObject {
  readonly spec: NestedEtcdSpec;
  readonly status?: NestedEtcdStatus;
}

/** The kube-apiserver of one control plane. Made by the NestedControlPlane. */
export interface NestedAPIServer extends KubeObject {
  readonly spec: NestedAPIServerSpec;
  readonly status?: NestedAPIServerStatus;
}

/** The kube-controller-manager of one control plane. Made by the NestedControlPlane. */
export interface NestedControllerManager extends KubeObject {
  readonly spec: NestedControllerManagerSpec;
  readonly status?: NestedControllerManagerStatus;
}

export const nestedEtcds = resourceType<NestedEtcd>({
  apiVersion,
  kind: 'NestedEtcd',
  plural: 'nestedetcds',
  scope: 'Namespaced',
});

export const nestedAPIServers = resourceType<NestedAPIServer>({
  apiVersion,
  kind: 'NestedAPIServer',
  plural: 'nestedapiservers',
  scope: 'Namespaced',
});

export const nestedControllerManagers = resourceType<NestedControllerManager>({
  apiVersion,
  kind: 'NestedControllerManager',
  plural: 'nestedcontrollermanagers',
  scope: 'Namespaced',
});

const readyColumns: readonly PrinterColumn[] = [
  { name: 'Ready', path: ".status.conditions[?(@.type=='Ready')].status", description: 'Whether it serves' },
  { name: 'Replicas', path: '.status.replicas', description: 'Pods', type: 'integer' },
  { name: 'Version', path: '.spec.version', description: 'Wanted Kubernetes version' },
];

const lastColumns: readonly PrinterColumn[] = [
  { name: 'Running', path: '.status.version', description: 'Lowest version that runs', wide: true },
  { name: 'Reason', path: ".status.conditions[?(@.type=='Ready')].reason", description: 'What it waits for' },
  { name: 'Age', path: '.metadata.creationTimestamp', description: 'Since when', type: 'date' },
];

export const nestedEtcdDefinition: KindDefinition = {
  type: nestedEtcds,
  shortNames: ['netcd'],
  description: 'The etcd of one tenant control plane.',
  spec: etcdSpec,
  status: etcdStatus,
  rules: [],
  scale: true,
  columns: [
    ...readyColumns,
    { name: 'Etcd', path: '.status.etcdVersion', description: 'etcd release that runs', wide: true },
    { name: 'Cluster-ID', path: '.status.clusterID', description: 'Identity of the etcd cluster', wide: true },
    ...lastColumns,
  ],
};

export const nestedAPIServerDefinition: KindDefinition = {
  type: nestedAPIServers,
  shortNames: ['nkas'],
  description: 'The kube-apiserver of one tenant control plane.',
  spec: apiServerSpec,
  status: apiServerStatus,
  rules: [],
  scale: true,
  columns: [...readyColumns, ...lastColumns],
};

export const nestedControllerManagerDefinition: KindDefinition = {
  type: nestedControllerManagers,
  shortNames: ['nkcm'],
  description: 'The kube-controller-manager of one tenant control plane.',
  spec: controllerManagerSpec,
  status: controllerManagerStatus,
  rules: [],
  scale: true,
  columns: [...readyColumns, ...lastColumns],
};
