import { expect, it } from 'vitest';
import { kindDefinitions, type NestedControlPlane } from '#apis';
import { proceed, wait } from '#runtime';
import { conditionTypes } from './condition-types.ts';
import { statusOf } from './nestedcontrolplane/status.ts';

const controlPlane = {
  metadata: { name: 'team-a', namespace: 'default', generation: 1 },
  spec: { version: 'v1.36.3' },
} as NestedControlPlane;

/** Names of the types that the table gives to `kind`, sorted. */
function typesOf(kind: string): readonly string[] {
  const rows = Object.entries<{ readonly kinds: readonly string[] }>(conditionTypes);
  return rows.flatMap(([type, { kinds }]) => (kinds.includes(kind) ? [type] : [])).sort();
}

it.each([
  { step: 'ensureAuthorities', result: wait('WaitingForDeletion', 'x') },
  { step: 'publishSyncerKubeconfig', result: proceed() },
])('the status of a control plane at $step has the listed types, and only those', (run) => {
  const { conditions = [] } = statusOf({ controlPlane, run, initialized: false, certificates: [] }, new Date());
  expect(conditions.map(({ type }) => type).sort()).toEqual(typesOf('NestedControlPlane'));
});

it('lists a type for each kind, and shows none in a column that it does not have', () => {
  for (const { type, columns } of kindDefinitions) {
    const types = typesOf(type.kind);
    expect(types).not.toEqual([]);
    const shown = columns.flatMap(({ path }) => /@\.type=='(\w+)'/.exec(path)?.[1] ?? []);
    expect(types).toEqual(expect.arrayContaining(shown));
  }
});
