import type { KubeObject, ObjectKey } from './objects.ts';
import type { ResourceType } from './resource-types.ts';

/** A page or a whole list. `resourceVersion` is where a watch goes on from. */
export interface ListResult<T extends KubeObject> {
  readonly items: readonly T[];
  readonly resourceVersion: string;
}

/** What to list. Selectors are in Kubernetes' text form. */
export interface ListOptions {
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  /** Objects a page; default 500. The whole list is returned whatever the page size. */
  readonly pageSize?: number;
}

export interface ApplyOptions {
  /** Who owns the applied fields. */
  readonly fieldManager: string;
  /** Take fields over that another manager owns; default true, as controllers should (KEP-555). */
  readonly force?: boolean;
  readonly subresource?: string;
  /** Ask the server what it would do, without doing it; default false. */
  readonly dryRun?: boolean;
}

export interface PatchOptions {
  readonly subresource?: string;
  readonly fieldManager?: string;
}

export interface DeleteOptions {
  /** Refuse (`CONFLICT`) unless the object still has this UID. Give it whenever the object was read before. */
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly propagation?: 'Foreground' | 'Background' | 'Orphan';
  readonly gracePeriodSeconds?: number;
}

export interface RawRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path and query, from the server's root: `/readyz?verbose`. */
  readonly path: string;
  readonly body?: unknown;
  readonly contentType?: string;
  /** Milliseconds to the answer's headers; default 30,000. */
  readonly timeoutMs?: number;
}

/** One watch event, as the server sends it. BOOKMARK objects carry metadata only. */
export interface WatchEvent<T extends KubeObject> {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK';
  readonly object: T;
}

export interface WatchOptions {
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  readonly resourceVersion?: string;
  /** Ask for the current state as ADDED events first, ended by an annotated bookmark (KEP-3157, WatchList). */
  readonly sendInitialEvents?: boolean;
  /** Seconds after which the server closes the watch. */
  readonly timeoutSeconds?: number;
}

/**
 * Raw JSON verbs against one API server. Objects go in and come out as they are on the wire: no model, no field lost.
 *
 * **Errors** every method rejects with a KubeError (`errors.ts`); an aborted `signal` gives code `ABORTED`.
 * 404 is `undefined` or `gone` where the signature says so, else code `NOT_FOUND`.
 * Retryable answers (429, 503, 504, broken connection) of idempotent requests are tried again a few times with jitter,
 * honouring Retry-After, before they are reported.
 */
export interface KubeClient extends AsyncDisposable {
  /** The server's URL, for messages. */
  readonly server: string;
  get<T extends KubeObject>(type: ResourceType<T>, key: ObjectKey, signal: AbortSignal): Promise<T | undefined>;
  list<T extends KubeObject>(type: ResourceType<T>, options: ListOptions, signal: AbortSignal): Promise<ListResult<T>>;
  /** POST. The namespace comes from the object. Code `ALREADY_EXISTS` if it is there. */
  create<T extends KubeObject>(type: ResourceType<T>, object: T, signal: AbortSignal): Promise<T>;
  /** PUT; needs `metadata.resourceVersion` to be safe. `CONFLICT` when stale. */
  replace<T extends KubeObject>(type: ResourceType<T>, object: T, signal: AbortSignal): Promise<T>;
  /** Server-side apply. `object` needs apiVersion, kind, name, namespace and the owned fields only. */
  apply<T extends KubeObject>(
    type: ResourceType<T>,
    object: KubeObject,
    options: ApplyOptions,
    signal: AbortSignal,
  ): Promise<T>;
  /** JSON merge patch (RFC 7386). Put `metadata.uid`/`resourceVersion` into the patch as preconditions. */
  mergePatch<T extends KubeObject>(
    target: { readonly type: ResourceType<T>; readonly key: ObjectKey },
    patch: object,
    options: PatchOptions,
    signal: AbortSignal,
  ): Promise<T>;
  /** Says `gone` when there was nothing to delete. Deletion may still be waiting for finalizers afterwards. */
  delete<T extends KubeObject>(
    type: ResourceType<T>,
    key: ObjectKey,
    options: DeleteOptions,
    signal: AbortSignal,
  ): Promise<'accepted' | 'gone'>;
  /** Watch events until the server closes the stream. An in-stream ERROR becomes a thrown error (410 → `EXPIRED`). */
  watch<T extends KubeObject>(
    type: ResourceType<T>,
    options: WatchOptions,
    signal: AbortSignal,
  ): AsyncIterable<WatchEvent<T>>;
  /** Any other request; answers with the status and the body's text whatever the status is. Never tried again. */
  raw(request: RawRequest, signal: AbortSignal): Promise<{ readonly status: number; readonly body: string }>;
}
