import { resourceType, type KubeObject } from '#kube';
import { apiServerService, extraSANs, serviceCIDR } from './api-server-schema.ts';
import { componentSettings, replicasField } from './component-schema.ts';
import { etcdReplicas, etcdStorage } from './etcd-schema.ts';
import { hostName } from './host-rules.ts';
import type { KindDefinition } from './kind-definition.ts';
import { boolean, int32, object, oneOf, optional, string, type Infer, type Rule } from './schema.ts';
import { certificates, commonStatus, initialization, versions } from './status-schema.ts';
import { versionPattern, versionRows } from './versions.ts';
import { versionField } from './version-field.ts';

/** `spec.controlPlaneEndpoint` of the Cluster API contract: absent until it is final, never zero. */
export const endpoint = object(
  {
    host: string({ description: 'DNS name or IP address.', minLength: 1, maxLength: 253, rules: [hostName] }),
    port: int32({ description: 'TCP port.', minimum: 1, maximum: 65535 }),
  },
  {
    description:
      "Name or address, and port, under which people reach the tenant's API server. It goes into the certificate and into the kubeconfig. By default the DNS name of the Service, or with type LoadBalancer its address; the controller fills it in once and does not change it afterwards.",
  },
);

const spec = object(
  {
    version: versionField(
      `The tenant's Kubernetes version, such as ${versionRows[0].tested}. It can be raised within a minor or to the next one, never lowered below what runs.`,
    ),
    replicas: replicasField('Pods of the API server and of the controller manager each, 1 (default) to 7.'),
    controlPlaneEndpoint: optional(endpoint),
    deletionPolicy: oneOf(['Delete', 'Retain'], {
      description:
        "What becomes of etcd's claim when the control plane is deleted: Delete (default) removes it, Retain leaves it behind. A retained claim is never adopted by a later control plane of the same name.",
      default: 'Delete',
    }),
    etcd: object(
      { replicas: etcdReplicas, storage: etcdStorage, ...componentSettings('etcd') },
      {
        description:
          "The tenant's etcd, which holds everything that the tenant's API server stores. It runs as a StatefulSet on a claim of its own, and only the tenant's API server can reach it.",
        default: {},
      },
    ),
    apiServer: object(
      {
        service: apiServerService,
        extraSANs: optional(extraSANs),
        serviceCIDR: optional(serviceCIDR),
        ...componentSettings('apiServer'),
      },
      {
        description:
          "The tenant's kube-apiserver: how it is reached, and how its pods run. `replicas` above says how many there are.",
        default: {},
        rules: [
          {
            rule: 'has(self.serviceCIDR) == has(oldSelf.serviceCIDR)',
            message: 'serviceCIDR can be given at creation only',
            reason: 'FieldValueInvalid',
          },
        ],
      },
    ),
    controllerManager: object(componentSettings('controllerManager'), {
      description:
        "The tenant's kube-controller-manager, which runs the controllers behind Deployments, Jobs, ServiceAccounts and so on. Controllers for what the super cluster owns (nodes, volumes, load balancers) are off.",
      default: {},
    }),
  },
  { description: 'What the tenant control plane should be.' },
);

const status = object(
  {
    ...commonStatus('API servers'),
    certificates,
    initialization: optional(initialization),
    versions: optional(versions),
    externalManagedControlPlane: optional(
      boolean({ description: 'Always true: there are no control plane Machines (Cluster API contract).' }),
    ),
    baseName: optional(
      string({
        description:
          'The name that everything of this control plane derives from: its Cluster, or itself where it stands alone. Decided once.',
        maxLength: 63,
      }),
    ),
    serviceCIDR: optional(
      string({
        description: "The tenant's range of Service addresses, claimed from the super cluster's.",
        maxLength: 18,
      }),
    ),
    etcdClusterID: optional(
      string({ description: "Identity of the tenant's etcd cluster, in hexadecimal.", maxLength: 32 }),
    ),
  },
  { description: 'What is true of the tenant control plane now.' },
);

const minorOf = (path: string) => `int(${path}.split('.')[1])`;
const patchOf = (path: string) => `int(${path}.split('.')[2])`;
const running = 'oldSelf.status.version';

/** True where there is nothing to compare: no change, nothing runs yet, or a version that its own rule refuses anyway. */
const nothingToCompare = [
  'self.spec.version == oldSelf.spec.version',
  '!has(oldSelf.status)',
  '!has(oldSelf.status.version)',
  `!self.spec.version.matches(r'${versionPattern}')`,
  `!${running}.matches(r'${versionPattern}')`,
].join(' || ');

/**
 * Version skew rules compare with the lowest version that runs (`status.version`), so a failed upgrade can be taken
 * back. They hold for changes of the version only: a status write can never fail on them.
 */
const versionRules: readonly Rule[] = [
  {
    rule: `${nothingToCompare} || ${minorOf('self.spec.version')} > ${minorOf(running)} || (${minorOf('self.spec.version')} == ${minorOf(running)} && ${patchOf('self.spec.version')} >= ${patchOf(running)})`,
    message: 'the version cannot be lowered below the one that runs: Kubernetes does not support downgrades',
    messageExpression: `'version ' + self.spec.version + ' is lower than ' + ${running} + ', which runs: Kubernetes does not support downgrades; restore a backup into a new control plane instead'`,
    fieldPath: '.spec.version',
    reason: 'FieldValueInvalid',
  },
  {
    rule: `${nothingToCompare} || ${minorOf('self.spec.version')} <= ${minorOf(running)} + 1`,
    message: 'the version can be raised by one minor at a time',
    messageExpression: `'version ' + self.spec.version + ' is more than one minor above ' + ${running} + ', which runs: upgrade one minor at a time'`,
    fieldPath: '.spec.version',
    reason: 'FieldValueInvalid',
  },
];

const nameRule: Rule = {
  rule: `self.metadata.name.matches('^[a-z]([-a-z0-9]*[a-z0-9])?$') && size(self.metadata.name) <= 63`,
  message:
    'the name must be a DNS label: at most 63 lower-case letters, digits and dashes, starting with a letter, ending with a letter or digit (no dots)',
  fieldPath: '.metadata.name',
  reason: 'FieldValueInvalid',
};

export type NestedControlPlaneSpec = Infer<typeof spec>;
export type NestedControlPlaneStatus = Infer<typeof status>;

/** A tenant's control plane: the one object that people write. */
export interface NestedControlPlane extends KubeObject {
  readonly spec: NestedControlPlaneSpec;
  readonly status?: NestedControlPlaneStatus;
}

export const nestedControlPlanes = resourceType<NestedControlPlane>({
  apiVersion: 'controlplane.cluster.x-k8s.io/v1beta1',
  kind: 'NestedControlPlane',
  plural: 'nestedcontrolplanes',
  scope: 'Namespaced',
});

export const nestedControlPlaneDefinition: KindDefinition = {
  type: nestedControlPlanes,
  shortNames: ['ncp'],
  description:
    'A Kubernetes control plane for one tenant (etcd, kube-apiserver, kube-controller-manager) that runs as pods in the super cluster.',
  spec,
  status,
  rules: [nameRule, ...versionRules],
  scale: true,
  columns: [
    {
      name: 'Cluster',
      path: '.metadata.labels.cluster\\.x-k8s\\.io/cluster-name',
      description: 'Owning Cluster',
      wide: true,
    },
    { name: 'Available', path: ".status.conditions[?(@.type=='Available')].status", description: 'Whether it serves' },
    {
      name: 'Initialized',
      path: '.status.initialization.controlPlaneInitialized',
      description: 'Whether it has ever served',
      type: 'boolean',
      wide: true,
    },
    { name: 'Replicas', path: '.status.replicas', description: 'API servers', type: 'integer' },
    { name: 'Ready', path: '.status.readyReplicas', description: 'API servers that are ready', type: 'integer' },
    { name: 'Version', path: '.spec.version', description: 'Wanted version' },
    { name: 'Running', path: '.status.version', description: 'Lowest version that runs', wide: true },
    { name: 'Services', path: '.status.serviceCIDR', description: 'Range of Service addresses', wide: true },
    { name: 'Reason', path: ".status.conditions[?(@.type=='Available')].reason", description: 'What it waits for' },
    { name: 'Age', path: '.metadata.creationTimestamp', description: 'Since when', type: 'date' },
  ],
};
