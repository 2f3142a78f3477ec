import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import {
  controllerReference,
  formatKey,
  isBeingDeleted,
  isControlledBy,
  isKubeError,
  keyOf,
  uidOf,
  type KubeObject,
  type ResourceType,
} from '#kube';
import type { Informer } from '#runtime';
import type { ConditionReason } from './condition-reasons.ts';
import { fieldManager, type Dependencies } from './dependencies.ts';

/** Hash of what was applied last: a field that the desired object no longer has shows as a difference. */
const appliedAnnotation = 'tenancy.x-k8s.io/applied-hash';

/** The outcome of making one object so. `blocked` names a wait that only somebody else can end. */
export type Ensured<T> =
  | { readonly state: 'unchanged' | 'applied'; readonly object: T }
  | { readonly state: 'blocked'; readonly reason: ConditionReason; readonly message: string };

/** What to make so, and whose it is. `informer` is the cache to compare with. */
export interface EnsureRequest<T extends KubeObject> {
  readonly informer: Informer<T>;
  readonly desired: KubeObject;
  readonly owner: KubeObject;
}

/**
 * Makes an object as desired, owned by `owner`. Nothing is sent when the cache shows it so already.
 *
 * **Guarantees** an object that is controlled by somebody else, or is being deleted, is never written to.
 */
export async function ensureApplied<T extends KubeObject>(
  { client, applied }: Pick<Dependencies, 'client' | 'applied'>,
  { informer, desired, owner }: EnsureRequest<T>,
  signal: AbortSignal,
): Promise<Ensured<T>> {
  const { type } = informer;
  const key = keyOf(desired);
  const hash = hashOf(desired);
  const wanted = stamped(desired, { owner, hash });
  const existing = informer.get(key) ?? (await client.get(type, key, signal));
  if (existing !== undefined) {
    const obstacle = obstacleIn(type, existing, owner);
    if (obstacle !== undefined) return obstacle;
    const isUntouched = applied.holds(existing, hash) && isSame(wanted.metadata, existing.metadata);
    if (isUntouched || isSame(wanted, existing)) return { state: 'unchanged', object: existing };
  }
  const uid = existing === undefined ? {} : { uid: uidOf(existing) };
  const object = await client.apply<T>(
    type,
    { ...wanted, metadata: { ...wanted.metadata, ...uid } },
    { fieldManager },
    signal,
  );
  applied.remember(object, hash);
  return { state: 'applied', object };
}

/**
 * Creates an object that is written once (a key, a claimed address). An object that is there already is returned as it
 * is, if it is the owner's.
 */
export async function ensureCreated<T extends KubeObject>(
  { client }: Pick<Dependencies, 'client'>,
  { informer, desired, owner }: EnsureRequest<T>,
  signal: AbortSignal,
): Promise<Ensured<T>> {
  const { type } = informer;
  const key = keyOf(desired);
  const cached = informer.get(key);
  if (cached !== undefined) return obstacleIn(type, cached, owner) ?? { state: 'unchanged', object: cached };
  try {
    const wanted = stamped(desired, { owner, hash: hashOf(desired) }) as T;
    const object = await client.create<T>(type, wanted, signal);
    return { state: 'applied', object };
  } catch (error) {
    if (!isKubeError(error, 'ALREADY_EXISTS')) throw error;
    const existing = await client.get(type, key, signal);
    if (existing === undefined) throw error;
    return obstacleIn(type, existing, owner) ?? { state: 'unchanged', object: existing };
  }
}

/** Why `existing` must not be touched on behalf of `owner`; undefined if it may. */
export function obstacleIn(
  type: ResourceType,
  existing: KubeObject,
  owner: KubeObject,
): Extract<Ensured<never>, { state: 'blocked' }> | undefined {
  const what = `${type.kind} ${formatKey(keyOf(existing))}`;
  if (isBeingDeleted(existing)) {
    const held = existing.metadata.finalizers ?? [];
    const by = held.length === 0 ? '' : `, held by ${held.join(', ')}`;
    return { state: 'blocked', reason: 'WaitingForDeletion', message: `${what} is being deleted${by}` };
  }
  if (!isControlledBy(existing, owner)) {
    const message = `${what} exists and is not controlled by this object (UID ${uidOf(owner)}); it is left alone. Delete or rename it.`;
    return { state: 'blocked', reason: 'NameTaken', message };
  }
  return undefined;
}

function hashOf(desired: KubeObject): string {
  return createHash('sha256').update(JSON.stringify(desired)).digest('hex').slice(0, 16);
}

interface Stamp {
  readonly owner: KubeObject;
  readonly hash: string;
}

function stamped(desired: KubeObject, { owner, hash }: Stamp): KubeObject {
  return {
    ...desired,
    metadata: {
      ...desired.metadata,
      annotations: { ...desired.metadata.annotations, [appliedAnnotation]: hash },
      ownerReferences: [controllerReference(owner)],
    },
  };
}

/** Whether everything in `wanted` is in `live`; what the server filled in beside it does not count. */
function isSame(wanted: unknown, live: unknown): boolean {
  if (Array.isArray(wanted)) {
    return Array.isArray(live) && wanted.length === live.length && wanted.every((item, at) => isSame(item, live[at]));
  }
  if (typeof wanted === 'object' && wanted !== null) {
    if (typeof live !== 'object' || live === null) return Object.keys(wanted).length === 0 && live === undefined;
    return Object.entries(wanted).every(
      ([key, value]) => value === undefined || isSame(value, (live as Record<string, unknown>)[key]),
    );
  }
  return isDeepStrictEqual(wanted, live);
}
