import { formatKey, type KubeObject, keyOf, type ObjectKey } from '#kube';
import type { Change } from './change.ts';

/**
 * Objects of one resource by key, indexed by namespace and by owner. Each write answers with the changes it made.
 *
 * **Guarantees** an object is itself by UID: another UID under the same key is a deletion and an addition; the same
 * resourceVersion again is no change.
 */
export class ObjectStore<T extends KubeObject> {
  readonly #objects = new Map<string, T>();
  readonly #byOwner = new Map<string, Map<string, T>>();

  get size(): number {
    return this.#objects.size;
  }

  get(key: ObjectKey): T | undefined {
    return this.#objects.get(formatKey(key));
  }

  list(namespace?: string): readonly T[] {
    const all = [...this.#objects.values()];
    return namespace === undefined ? all : all.filter(({ metadata }) => metadata.namespace === namespace);
  }

  byOwner(uid: string): readonly T[] {
    return [...(this.#byOwner.get(uid)?.values() ?? [])];
  }

  put(object: T, trust: 'resourceVersions' | 'nothing' = 'resourceVersions'): readonly Change<T>[] {
    const key = formatKey(keyOf(object));
    const previous = this.#objects.get(key);
    if (previous !== undefined && trust === 'resourceVersions' && isSameState(previous, object)) return [];
    if (previous !== undefined) this.#unlink(key, previous);
    this.#link(key, object);
    if (previous === undefined) return [{ kind: 'added', object }];
    if (previous.metadata.uid === object.metadata.uid) return [{ kind: 'updated', object, previous }];
    return [
      { kind: 'deleted', object: previous },
      { kind: 'added', object },
    ];
  }

  /** Forgets the object; tells `object` as its last state, or what was known if that was another of the same name. */
  remove(object: T): readonly Change<T>[] {
    const key = formatKey(keyOf(object));
    const known = this.#objects.get(key);
    if (known === undefined) return [];
    this.#unlink(key, known);
    return [{ kind: 'deleted', object: known.metadata.uid === object.metadata.uid ? object : known }];
  }

  /**
   * Makes the store hold exactly `objects`: deletions first, then the rest.
   * @param trust `nothing` when the server's history went back, where an old resourceVersion may mean another state
   */
  replace(objects: readonly T[], trust: 'resourceVersions' | 'nothing' = 'resourceVersions'): readonly Change<T>[] {
    const keys = new Set(objects.map((object) => formatKey(keyOf(object))));
    const gone = [...this.#objects].filter(([key]) => !keys.has(key)).map(([, object]) => object);
    return [...gone.flatMap((object) => this.remove(object)), ...objects.flatMap((object) => this.put(object, trust))];
  }

  #link(key: string, object: T): void {
    this.#objects.set(key, object);
    for (const { uid } of object.metadata.ownerReferences ?? []) {
      const owned = this.#byOwner.get(uid) ?? new Map<string, T>();
      this.#byOwner.set(uid, owned.set(key, object));
    }
  }

  #unlink(key: string, object: T): void {
    this.#objects.delete(key);
    for (const { uid } of object.metadata.ownerReferences ?? []) {
      const owned = this.#byOwner.get(uid);
      owned?.delete(key);
      if (owned?.size === 0) this.#byOwner.delete(uid);
    }
  }
}

function isSameState(one: KubeObject, other: KubeObject): boolean {
  return one.metadata.uid === other.metadata.uid && one.metadata.resourceVersion === other.metadata.resourceVersion;
}
