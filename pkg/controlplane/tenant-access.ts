import { adminGroup, managedByLabel, managedByValue, syncerUser } from '#apis';
import { resources, type KubeClient, type KubeObject, type ResourceType } from '#kube';
import { fieldManager } from './dependencies.ts';

const labels = { [managedByLabel]: managedByValue };
const rbacGroup = 'rbac.authorization.k8s.io';

/** The admin kubeconfig's group gets its rights by a binding, so that the tenant can take them away again. */
const adminBinding = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRoleBinding',
  metadata: { name: adminGroup, labels },
  roleRef: { apiGroup: rbacGroup, kind: 'ClusterRole', name: 'cluster-admin' },
  subjects: [{ apiGroup: rbacGroup, kind: 'Group', name: adminGroup }],
};

/**
 * The syncer's rights in a tenant. It has its identity from the start; what it may do comes with the syncer itself, so
 * for now it can only see that the API server answers.
 */
const syncerRole = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRole',
  metadata: { name: syncerUser, labels },
  rules: [{ nonResourceURLs: ['/readyz', '/version'], verbs: ['get'] }],
};

const syncerBinding = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRoleBinding',
  metadata: { name: syncerUser, labels },
  roleRef: { apiGroup: rbacGroup, kind: 'ClusterRole', name: syncerUser },
  subjects: [{ apiGroup: rbacGroup, kind: 'User', name: syncerUser }],
};

/**
 * Creates the admin group's binding if this control plane never had it. A tenant that deleted it has revoked the admin
 * kubeconfig, and it stays so: callers ask once, before the control plane counts as initialized.
 */
export async function bindAdmins(tenant: KubeClient, signal: AbortSignal): Promise<void> {
  await applyIfMissing(tenant, resources.clusterRoleBindings, adminBinding, signal);
}

/** Gives the syncer its role. */
export async function bindSyncer(tenant: KubeClient, signal: AbortSignal): Promise<void> {
  await applyIfMissing(tenant, resources.clusterRoles, syncerRole, signal);
  await applyIfMissing(tenant, resources.clusterRoleBindings, syncerBinding, signal);
}

async function applyIfMissing<T extends KubeObject>(
  tenant: KubeClient,
  type: ResourceType<T>,
  object: KubeObject,
  signal: AbortSignal,
): Promise<void> {
  const existing = await tenant.get(type, { name: object.metadata.name ?? '' }, signal);
  if (existing === undefined) await tenant.apply(type, object, { fieldManager }, signal);
}
