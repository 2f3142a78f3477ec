/** A rule of RBAC with the reason for it; `docs/reference/rbac.md` shows both. */
export interface Permission {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  readonly why: string;
}

const ours = 'controlplane.cluster.x-k8s.io';

/** What the manager may do in every namespace that it serves. */
export const permissions: readonly Permission[] = [
  {
    apiGroups: [ours],
    resources: ['nestedcontrolplanes'],
    verbs: ['get', 'list', 'watch', 'patch'],
    why: 'reconciles them; patches its finalizer and the endpoint',
  },
  {
    apiGroups: [ours],
    resources: ['nestedetcds', 'nestedapiservers', 'nestedcontrollermanagers'],
    verbs: ['get', 'list', 'watch', 'create', 'patch', 'delete'],
    why: 'makes one of each for a control plane, and takes them down in order',
  },
  {
    apiGroups: [ours],
    resources: [
      'nestedcontrolplanes/status',
      'nestedetcds/status',
      'nestedapiservers/status',
      'nestedcontrollermanagers/status',
    ],
    verbs: ['patch'],
    why: 'reports what is true',
  },
  {
    apiGroups: [ours],
    resources: [
      'nestedcontrolplanes/finalizers',
      'nestedetcds/finalizers',
      'nestedapiservers/finalizers',
      'nestedcontrollermanagers/finalizers',
    ],
    verbs: ['update'],
    why: 'sets blockOwnerDeletion, where the super cluster enforces rights for it (OwnerReferencesPermissionEnforcement)',
  },
  {
    apiGroups: ['cluster.x-k8s.io'],
    resources: ['clusters'],
    verbs: ['get', 'list'],
    why: 'reads whether the owning Cluster is paused, and whether one is about to own a control plane (Cluster API contract)',
  },
  {
    apiGroups: [''],
    resources: ['secrets'],
    verbs: ['get', 'list', 'watch', 'create', 'patch', 'delete'],
    why: 'certificate authorities, certificates and kubeconfigs; only those with our label are watched',
  },
  {
    apiGroups: [''],
    resources: ['services'],
    verbs: ['get', 'list', 'watch', 'create', 'patch', 'delete'],
    why: 'the Services of etcd and of the API server; the latter claims the range of addresses',
  },
  {
    apiGroups: [''],
    resources: ['configmaps'],
    verbs: ['get', 'list', 'watch', 'create', 'patch', 'delete'],
    why: "the record of etcd's identity",
  },
  {
    apiGroups: [''],
    resources: ['persistentvolumeclaims'],
    verbs: ['get', 'list', 'watch', 'delete'],
    why: "looks at etcd's claim before it is used, and removes it with deletionPolicy Delete",
  },
  {
    apiGroups: [''],
    resources: ['pods'],
    verbs: ['get', 'list', 'watch'],
    why: 'says in conditions what a pod waits for, and which version it runs',
  },
  {
    apiGroups: ['apps'],
    resources: ['statefulsets', 'deployments'],
    verbs: ['get', 'list', 'watch', 'create', 'patch'],
    why: 'etcd, the API server and the controller manager',
  },
  {
    apiGroups: ['networking.k8s.io'],
    resources: ['networkpolicies'],
    verbs: ['get', 'list', 'watch', 'create', 'patch'],
    why: 'the fence around a control plane',
  },
  {
    apiGroups: ['networking.k8s.io'],
    resources: ['servicecidrs', 'ipaddresses'],
    verbs: ['list'],
    why: "finds a free slice of the super cluster's Service range",
  },
  {
    apiGroups: ['storage.k8s.io'],
    resources: ['storageclasses'],
    verbs: ['list'],
    why: 'tells that a StorageClass is missing instead of waiting in silence',
  },
  {
    apiGroups: ['events.k8s.io'],
    resources: ['events'],
    verbs: ['get', 'create', 'patch'],
    why: 'tells on the object itself what it waits for',
  },
];

/** What the manager may do in its own namespace besides. */
export const namespacedPermissions: readonly Permission[] = [
  {
    apiGroups: ['coordination.k8s.io'],
    resources: ['leases'],
    verbs: ['get', 'create', 'update'],
    why: 'leader election',
  },
];
