import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { mergePermissions, rbacFiles, userRoles, type Permission } from './rbac.ts';

function permission(given: Partial<Permission>): Permission {
  return { apiGroups: [''], resources: ['pods'], verbs: ['get'], why: 'A test.', ...given };
}

describe('mergePermissions', () => {
  it('joins verbs of one resource, then resources with the same verbs', () => {
    const merged = mergePermissions([
      permission({ resources: ['pods', 'secrets'], verbs: ['list'] }),
      permission({ verbs: ['get', 'list'] }),
      permission({ resources: ['secrets'] }),
    ]);
    expect(merged).toEqual([{ apiGroups: [''], resources: ['pods', 'secrets'], verbs: ['get', 'list'] }]);
  });

  it('never widens: what is narrowed to names stays apart from what is not', () => {
    const merged = mergePermissions([
      permission({ resources: ['secrets'], verbs: ['create'] }),
      permission({ resources: ['secrets'], resourceNames: ['one'] }),
      permission({ apiGroups: ['apps'], resources: ['secrets'] }),
    ]);
    expect(merged).toEqual([
      { apiGroups: [''], resources: ['secrets'], verbs: ['create'] },
      { apiGroups: [''], resources: ['secrets'], resourceNames: ['one'], verbs: ['get'] },
      { apiGroups: ['apps'], resources: ['secrets'], verbs: ['get'] },
    ]);
  });

  it('does not depend on the order', () => {
    const all = [
      permission({}),
      permission({ apiGroups: ['apps'], resources: ['deployments'] }),
      permission({ verbs: ['watch'] }),
    ];
    expect(mergePermissions(all)).toEqual(mergePermissions([...all].reverse()));
  });
});

describe('rbacFiles', () => {
  const files = rbacFiles({ everywhere: [permission({})], ownNamespace: [permission({ resources: ['secrets'] })] });
  const objects = files
    .filter(({ path }) => !path.endsWith('kustomization.yaml'))
    .flatMap(({ text }) =>
      parseAllDocuments(text).map((document) => document.toJS() as { kind: string; metadata: { name: string } }),
    );

  it('names cluster-scoped objects so that clusterctl delete finds them', () => {
    const names = objects.filter(({ kind }) => kind.startsWith('Cluster')).map(({ metadata }) => metadata.name);
    expect(names).toHaveLength(4);
    for (const name of names) expect(name).toMatch(/^capn-system-/);
  });

  it('lists every file in the kustomization', () => {
    const listed = files.at(-1)?.text ?? '';
    for (const { path } of files.slice(0, -1)) expect(listed).toContain(path.slice('config/rbac/'.length));
  });
});

it('lets nobody among the people write status', () => {
  const writes = userRoles()
    .flatMap(({ rules }) => rules)
    .filter(({ verbs }) => verbs.some((verb) => verb !== 'get' && verb !== 'list' && verb !== 'watch'));
  expect(writes.flatMap(({ resources }) => resources).filter((resource) => resource.endsWith('/status'))).toEqual([]);
  expect(writes.length).toBeGreaterThan(0);
});
