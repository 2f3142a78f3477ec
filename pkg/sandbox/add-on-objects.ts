/** Name and namespace of an add-on's objects. */
export interface Name {
  readonly name: string;
  readonly namespace: string;
}

/** A Deployment of one replica. */
export function deployment(metadata: Name, labels: Readonly<Record<string, string>>, podSpec: object): object {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { ...metadata, labels },
    spec: { replicas: 1, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: podSpec } },
  };
}

/** Gives a ServiceAccount the ClusterRole `role`. */
export function bindClusterRole(role: string, account: Name): object {
  return {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: role },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
    subjects: [{ kind: 'ServiceAccount', ...account }],
  };
}
