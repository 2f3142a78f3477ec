import { systemNamespace } from '#apis';
import { pageFile, type GeneratedFile } from '../generated-file.ts';
import { code, table } from '../markdown.ts';
import { managerAccount, userRoles, type ManagerPermissions, type Permission } from '../rbac.ts';

/** `rbac.md`: who may do what, and why. */
export function rbacPage({ everywhere, ownNamespace }: ManagerPermissions): GeneratedFile {
  return pageFile('rbac', 'pkg/controlplane and cmd/gen/rbac.ts', [
    '# Rights',
    'Who may do what in the super cluster, and why. The roles themselves are in `config/rbac/`.',
    '## The manager, everywhere',
    `ServiceAccount ${code(managerAccount)} in namespace ${code(systemNamespace)}.`,
    permissionTable(everywhere),
    `## The manager, in ${code(systemNamespace)} only`,
    permissionTable(ownNamespace),
    '## People',
    "Kubernetes adds these rights to its own ClusterRoles, so a RoleBinding to `view`, `edit` or `admin` in a namespace gives them. Nobody gets to write `status`: the version rules compare with it. Whoever may read Secrets in a control plane's namespace can become its administrator.",
    userTable(),
  ]);
}

function permissionTable(permissions: readonly Permission[]): string {
  const rows = permissions.map(({ apiGroups, resources, resourceNames = [], verbs, why }) => [
    apiGroups.map((group) => (group === '' ? 'core' : group)).join(', '),
    [...resources.map(code), ...resourceNames.map((name) => `only ${code(name)}`)].join(', '),
    verbs.join(', '),
    why,
  ]);
  return table(['Group', 'Resources', 'Verbs', 'Why'], rows);
}

const aggregation = 'rbac.authorization.k8s.io/aggregate-to-';

function userTable(): string {
  const rows = userRoles().flatMap(({ metadata, rules }) => {
    const into = Object.keys(metadata.labels ?? {}).filter((label) => label.startsWith(aggregation));
    const roles = into.map((label) => code(label.slice(aggregation.length))).join(', ');
    return rules.map(({ resources, verbs }) => [roles, resources.map(code).join(', '), verbs.join(', ')]);
  });
  return table(['Holders of', 'Resources', 'Verbs'], rows);
}
