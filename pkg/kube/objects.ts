/** An object's owner, as Kubernetes' garbage collector reads it. */
export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

/** The part of `metadata` that this project reads. Times are RFC 3339 strings, as they are on the wire. */
export interface ObjectMeta {
  readonly name?: string;
  readonly generateName?: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly deletionGracePeriodSeconds?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly ownerReferences?: readonly OwnerReference[];
  readonly finalizers?: readonly string[];
}

/** Any Kubernetes object as raw JSON. Fields that we do not know are kept, value for value. */
export interface KubeObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: ObjectMeta;
}

/** Where an object stands: its name and, if it is namespaced, its namespace. */
export interface ObjectKey {
  readonly namespace?: string;
  readonly name: string;
}

/**
 * client-node's generated model types describe decoded objects (dates are `Date`). `Raw` turns one into what is on the
 * wire, which is all that this project handles.
 */
export type Raw<T> = T extends Date
  ? string
  : T extends readonly (infer Item)[]
    ? readonly Raw<Item>[]
    : T extends object
      ? { readonly [Key in keyof T]: Raw<T[Key]> }
      : T;

/** A built-in resource, typed by its client-node model: `type Pod = Resource<V1Pod>`. */
export type Resource<T> = Raw<Omit<T, 'metadata' | 'apiVersion' | 'kind'>> & KubeObject;

/** `namespace/name`, or `name` for cluster-scoped objects: the text form of a key, used in queues and messages. */
export function formatKey(key: ObjectKey): string {
  return key.namespace === undefined ? key.name : `${key.namespace}/${key.name}`;
}

/** Reads {@link formatKey}'s text form back. */
export function parseKey(text: string): ObjectKey {
  const slash = text.indexOf('/');
  return slash < 0 ? { name: text } : { namespace: text.slice(0, slash), name: text.slice(slash + 1) };
}

/** The key of an object that came from an API server (so it has a name). */
export function keyOf(object: KubeObject): ObjectKey {
  const { namespace, name = '' } = object.metadata;
  return namespace === undefined ? { name } : { namespace, name };
}

/** The UID of an object that came from an API server; throws if it has none, which only an unsaved object can lack. */
export function uidOf(object: KubeObject): string {
  const { uid } = object.metadata;
  if (uid === undefined) throw new Error(`object ${formatKey(keyOf(object))} has no UID: it was never saved`);
  return uid;
}

/** Whether somebody has asked for the object's deletion (it may live on while finalizers hold it). */
export function isBeingDeleted(object: KubeObject): boolean {
  return object.metadata.deletionTimestamp !== undefined;
}
