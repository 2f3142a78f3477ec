import type { Logger, Metrics } from '#observe';
import type { KubeObject, ObjectKey, ResourceType } from '#kube';
import type { Change } from './change.ts';
import type { Clock } from './clock.ts';
import type { ReflectorTiming } from './reflector-timing.ts';

/** Which objects an informer holds, and how much of each. */
export interface InformerOptions<T extends KubeObject = KubeObject> {
  /** Default: all namespaces. */
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  /** Leaves out of an object what nobody reads. `metadata.managedFields` always goes. */
  readonly prune?: (object: T) => T;
}

export interface InformerDependencies {
  /** Default: the machine's. */
  readonly clock?: Clock;
  readonly logger?: Logger;
  readonly metrics?: Metrics;
  /** Default: what suits a real cluster; tests are in more of a hurry. */
  readonly timing?: Partial<ReflectorTiming>;
}

/**
 * A local copy of one resource of an API server, kept current by a watch.
 *
 * **Guarantees** an object that was deleted and created anew under its name is told as `deleted`, then `added`, however
 * long the watch was away; a handler that throws harms nobody; objects are whole but for what was pruned, with
 * apiVersion and kind, and must not be changed. What is read may be late: writes need preconditions.
 */
export interface Informer<T extends KubeObject> {
  readonly type: ResourceType<T>;
  /** Lists and watches until `signal` aborts, then resolves. Whatever fails meanwhile is tried again. */
  run(signal: AbortSignal): Promise<void>;
  /** Whether the whole first list has been read. Never goes back to false. */
  readonly isSynced: boolean;
  /** Resolves once {@link isSynced}. **Errors** rejects when `signal` aborts before. */
  synced(signal: AbortSignal): Promise<void>;
  get(key: ObjectKey): T | undefined;
  list(namespace?: string): readonly T[];
  /** Objects that have an owner reference, controlling or not, to this UID. */
  byOwner(uid: string): readonly T[];
  /** Tells of every change from now on. Add handlers before {@link run}; they should only enqueue. */
  onChange(handler: (change: Change<T>) => void): void;
  /** Milliseconds since the server last sent anything; bookmarks come about once a minute. */
  readonly lastEventAgeMs: number;
}
