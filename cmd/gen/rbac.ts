import { kindDefinitions, nestedControlPlanes, providerLabel, providerLabelValue, systemNamespace } from '#apis';
import { groupOf, type KubeObject } from '#kube';
import { type GeneratedFile, yamlFile } from './generated-file.ts';
import { kustomization } from './kustomization.ts';

/** Something that a program may do, and why it has to; as the rooms list them (`#controlplane`). */
export interface Permission {
  /** The core group is the empty string. */
  readonly apiGroups: readonly string[];
  /** Plurals, with the subresource after a `/`. */
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  /** Narrows the permission to objects of these names; create and list cannot be narrowed so. */
  readonly resourceNames?: readonly string[];
  readonly why: string;
}

/** A rule of a Role, as `rbac.authorization.k8s.io/v1` writes it. */
export interface PolicyRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

/** A Role or ClusterRole. */
export interface Role extends KubeObject {
  readonly rules: readonly PolicyRule[];
}

const apiVersion = 'rbac.authorization.k8s.io/v1';

/** ServiceAccount of the manager. */
export const managerAccount = 'capn-controller-manager';

/** `clusterctl delete` removes cluster-scoped objects whose names start with the provider's namespace, and no others. */
const clusterName = (suffix: string) => `${systemNamespace}-${suffix}`;

const labels = { [providerLabel]: providerLabelValue };

/**
 * The fewest rules that say the same: verbs of one resource are joined, then resources of one group with the same verbs.
 * Sorted, so that the order of the permissions does not show.
 */
export function mergePermissions(permissions: readonly Permission[]): readonly PolicyRule[] {
  const rows = permissions.flatMap(({ apiGroups, resources, resourceNames = [], verbs }) =>
    apiGroups.flatMap((group) => resources.map((resource) => ({ group, resource, names: resourceNames, verbs }))),
  );
  const byResource = Map.groupBy(rows, ({ group, resource, names }) => JSON.stringify([group, resource, names]));
  const merged = [...byResource.values()].flatMap((same) => {
    const [first] = same;
    return first === undefined ? [] : [{ ...first, verbs: sorted(same.flatMap(({ verbs }) => verbs)) }];
  });
  const byVerbs = Map.groupBy(merged, ({ group, names, verbs }) => JSON.stringify([group, names, verbs]));
  return [...byVerbs.values()].flatMap(ruleOf).sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
}

function ruleOf(
  rows: readonly { group: string; resource: string; names: readonly string[]; verbs: readonly string[] }[],
) {
  const [first] = rows;
  if (first === undefined) return [];
  const narrowed = first.names.length === 0 ? {} : { resourceNames: sorted(first.names) };
  return [
    { apiGroups: [first.group], resources: sorted(rows.map((row) => row.resource)), ...narrowed, verbs: first.verbs },
  ];
}

function sorted(words: readonly string[]): readonly string[] {
  return [...new Set(words)].sort();
}

function orderOf(rule: PolicyRule): string {
  return `${JSON.stringify([rule.apiGroups, rule.resources])} ${(rule.resourceNames ?? []).join(' ')}`;
}

/** What the manager may do: everywhere, and in the provider's own namespace. */
export interface ManagerPermissions {
  readonly everywhere: readonly Permission[];
  readonly ownNamespace: readonly Permission[];
}

/** The manager's ServiceAccount and roles, and the roles that give people rights on the four kinds. */
export function rbacFiles({ everywhere, ownNamespace }: ManagerPermissions): readonly GeneratedFile[] {
  const source = 'pkg/controlplane and cmd/gen/rbac.ts';
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: namespaced(managerAccount) };
  const clusterRole = role('ClusterRole', { name: clusterName('manager'), labels }, mergePermissions(everywhere));
  const ownRole = role('Role', namespaced('capn-manager'), mergePermissions(ownNamespace));
  const files = [
    yamlFile('config/rbac/service-account.yaml', source, [account]),
    yamlFile('config/rbac/role.yaml', source, [clusterRole, ownRole]),
    yamlFile('config/rbac/role-binding.yaml', source, [binding(clusterRole), binding(ownRole)]),
    yamlFile('config/rbac/user-roles.yaml', source, userRoles()),
  ];
  return [...files, kustomization('config/rbac', source, files)];
}

function namespaced(name: string) {
  return { name, namespace: systemNamespace, labels };
}

function role(kind: 'Role' | 'ClusterRole', metadata: KubeObject['metadata'], rules: readonly PolicyRule[]): Role {
  return { apiVersion, kind, metadata, rules };
}

function binding({ kind, metadata }: Role) {
  return {
    apiVersion,
    kind: `${kind}Binding`,
    metadata,
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind, name: metadata.name },
    subjects: [{ kind: 'ServiceAccount', name: managerAccount, namespace: systemNamespace }],
  };
}

/**
 * Roles that Kubernetes adds to its own `view`, `edit` and `admin` ClusterRoles. Nobody gets `status`: version rules
 * compare with it. Components are for reading: a NestedControlPlane makes them, and one made by hand could claim the names
 * and certificates of another's.
 */
export function userRoles(): readonly Role[] {
  const apiGroups = sorted(kindDefinitions.map(({ type }) => groupOf(type)));
  const kinds = kindDefinitions.map(({ type }) => type.plural);
  const scales = kindDefinitions.filter(({ scale }) => scale).map(({ type }) => `${type.plural}/scale`);
  const read = ['get', 'list', 'watch'];
  const write = ['create', 'delete', 'deletecollection', 'patch', 'update'];
  const statuses = kinds.map((kind) => `${kind}/status`);
  return [
    role('ClusterRole', aggregated('view', ['view', 'edit', 'admin']), [
      { apiGroups, resources: sorted(kinds), verbs: read },
      { apiGroups, resources: sorted([...scales, ...statuses]), verbs: ['get'] },
    ]),
    role('ClusterRole', aggregated('edit', ['edit', 'admin']), [
      { apiGroups, resources: [nestedControlPlanes.plural], verbs: write },
      { apiGroups, resources: [`${nestedControlPlanes.plural}/scale`], verbs: ['patch', 'update'] },
    ]),
  ];
}

function aggregated(suffix: string, into: readonly string[]): KubeObject['metadata'] {
  const aggregation = into.map((name) => [`rbac.authorization.k8s.io/aggregate-to-${name}`, 'true'] as const);
  return { name: clusterName(suffix), labels: { ...labels, ...Object.fromEntries(aggregation) } };
}
