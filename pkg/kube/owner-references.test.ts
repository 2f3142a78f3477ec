import { expect, test } from 'vitest';
import { controllerReference, isControlledBy, isOwnedByUid } from './owner-references.ts';

const owner = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'owner', uid: 'uid-1' } };

test('the controller reference names the owner by UID and ties deletion to it', () => {
  expect(controllerReference(owner)).toEqual({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    name: 'owner',
    uid: 'uid-1',
    controller: true,
    blockOwnerDeletion: true,
  });
});

test('an owner that never came from a server is refused', () => {
  expect(() => controllerReference({ ...owner, metadata: { name: 'owner' } })).toThrow('no UID');
  expect(() => controllerReference({ metadata: owner.metadata })).toThrow('apiVersion or kind');
});

test('a namesake of another UID and a mere owner are no controller', () => {
  const owned = { metadata: { name: 'owned', ownerReferences: [controllerReference(owner)] } };
  expect(isControlledBy(owned, owner)).toBe(true);
  expect(isControlledBy(owned, { ...owner, metadata: { name: 'owner', uid: 'uid-2' } })).toBe(false);
  const mere = { metadata: { ownerReferences: [{ ...controllerReference(owner), controller: false }] } };
  expect(isControlledBy(mere, owner)).toBe(false);
  expect(isOwnedByUid(mere, 'uid-1')).toBe(true);
  expect(isOwnedByUid({ metadata: {} }, 'uid-1')).toBe(false);
});
