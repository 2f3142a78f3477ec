import { type KubeObject, keyOf, type OwnerReference, uidOf } from './objects.ts';

/**
 * The reference that makes `owner` an object's controller: deleted with it, one controller an object.
 * **Errors** throws when the owner lacks apiVersion, kind or UID: it did not come from an API server.
 */
export function controllerReference(owner: KubeObject): OwnerReference {
  const { apiVersion, kind } = owner;
  const { name } = keyOf(owner);
  if (apiVersion === undefined || kind === undefined) {
    throw new Error(`object ${name} cannot own another: its apiVersion or kind is not set`);
  }
  return { apiVersion, kind, name, uid: uidOf(owner), controller: true, blockOwnerDeletion: true };
}

/** Whether `owner`, by UID, is the object's controller. A namesake is not. */
export function isControlledBy(object: KubeObject, owner: KubeObject): boolean {
  const uid = uidOf(owner);
  return references(object).some((reference) => reference.controller === true && reference.uid === uid);
}

/** Whether any of the object's owners, controller or not, has this UID. */
export function isOwnedByUid(object: KubeObject, uid: string): boolean {
  return references(object).some((reference) => reference.uid === uid);
}

function references(object: KubeObject): readonly OwnerReference[] {
  return object.metadata.ownerReferences ?? [];
}
