import { expect, it } from 'vitest';
import type { KubeObject, ResourceType } from '#kube';
import { controllingOwner } from './watch-mapping.ts';

const type: ResourceType = { apiVersion: 'example.com/v1', kind: 'Thing', plural: 'things', scope: 'Namespaced' };
const reference = { apiVersion: 'example.com/v1alpha1', kind: 'Thing', name: 'a', uid: 'u', controller: true };

function owned(ownerReferences: NonNullable<KubeObject['metadata']['ownerReferences']>): KubeObject {
  return { metadata: { namespace: 'ns', name: 'x', ownerReferences } };
}

it('finds the controlling owner, of whatever version', () => {
  expect(controllingOwner(owned([reference]), type)).toEqual([{ namespace: 'ns', name: 'a' }]);
});

it('leaves the namespace out for an owner that has none', () => {
  expect(controllingOwner(owned([reference]), { ...type, scope: 'Cluster' })).toEqual([{ name: 'a' }]);
});

it.each([
  ['no owner', []],
  ['an owner that does not control', [{ ...reference, controller: false }]],
  ['another kind', [{ ...reference, kind: 'Other' }]],
  ['another group', [{ ...reference, apiVersion: 'example.org/v1' }]],
])('finds nobody with %s', (_, references) => {
  expect(controllingOwner(owned(references), type)).toEqual([]);
});
