import { groupOf, type KubeObject, type ObjectKey, keyOf, type ResourceType } from '#kube';
import type { Informer } from './informer.ts';

/** A kind whose changes concern some keys, and which. `map` is asked with the object as it is and as it was. */
export interface WatchedKind<T extends KubeObject = KubeObject> {
  readonly informer: Informer<T>;
  // A method, so that `{ informer: pods, map: (pod: Pod) => … }` fits a list of watched kinds of any type.
  map(object: T): readonly ObjectKey[];
}

interface Sources {
  readonly for: Informer<KubeObject>;
  readonly owns?: readonly Informer<KubeObject>[];
  readonly watches?: readonly WatchedKind[];
}

/** Calls `add` with every key that a change concerns: itself, its controlling owner, or what `map` says. */
export function mapChanges(sources: Sources, add: (key: ObjectKey) => void): void {
  subscribe({ informer: sources.for, map: (object) => [keyOf(object)] }, add);
  for (const informer of sources.owns ?? []) {
    subscribe({ informer, map: (object) => controllingOwner(object, sources.for.type) }, add);
  }
  for (const watched of sources.watches ?? []) subscribe(watched, add);
}

/** The key of the object's controlling owner, if that is of this type. The API version may differ, the group may not. */
export function controllingOwner(object: KubeObject, type: ResourceType): readonly ObjectKey[] {
  const owner = object.metadata.ownerReferences?.find(({ controller }) => controller === true);
  if (owner === undefined || owner.kind !== type.kind || groupOf(owner) !== groupOf(type)) return [];
  const { namespace } = object.metadata;
  return [type.scope === 'Cluster' || namespace === undefined ? { name: owner.name } : { namespace, name: owner.name }];
}

function subscribe(watched: WatchedKind, add: (key: ObjectKey) => void): void {
  watched.informer.onChange(({ object, previous }) => {
    for (const key of watched.map(object)) add(key);
    // The object may have pointed elsewhere before.
    if (previous !== undefined) for (const key of watched.map(previous)) add(key);
  });
}
