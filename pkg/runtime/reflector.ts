import {
  formatKey,
  isKubeError,
  type KubeClient,
  type KubeObject,
  keyOf,
  type ResourceType,
  type WatchEvent,
} from '#kube';
import { backOffMs } from './back-off.ts';
import type { Clock } from './clock.ts';
import type { ReflectorTiming } from './reflector-timing.ts';
import { HistoryError, type RelistReason, relistReason } from './relist.ts';
import { compareResourceVersions } from './resource-version.ts';
import { SilenceError, withWatchdog } from './watchdog.ts';

/** Who is told what a reflector reads. */
export interface ReflectorSink<T extends KubeObject> {
  /** All objects there are now. `trust` is `nothing` when the server's history went back. */
  replace(objects: readonly T[], trust: 'resourceVersions' | 'nothing'): void;
  put(object: T): void;
  remove(object: T): void;
  /** Something came from the server. */
  heard(): void;
  /** Everything is about to be read anew. */
  relisting(reason: RelistReason): void;
  failed(error: unknown, failures: number): void;
}

export interface ReflectorOptions {
  readonly client: KubeClient;
  readonly scope: { readonly namespace?: string; readonly labelSelector?: string; readonly fieldSelector?: string };
  readonly clock: Clock;
  readonly timing: ReflectorTiming;
}

const initialEventsEnd = 'k8s.io/initial-events-end';

/**
 * Reads a resource and keeps reading its changes into a sink, through whatever happens to server and connection.
 *
 * First by a watch that begins with the present state (WatchList, KEP-3157); where the server refuses that or never
 * finishes it, by a list and a watch. A watch goes on from the last resourceVersion, unless that cannot be: then all is
 * read anew.
 */
export class Reflector<T extends KubeObject> {
  readonly #type: ResourceType<T>;
  readonly #sink: ReflectorSink<T>;
  readonly #options: ReflectorOptions;
  /** Where the next watch goes on from; undefined: read everything. */
  #position: string | undefined;
  /** The latest resourceVersion that the server ever told. */
  #seen = '';
  #reason: RelistReason = 'start';
  /** Whether the server knows WatchList, and whether to list all the same the next time. */
  #canStreamList = true;
  #listNext = false;
  #heard = false;

  constructor(type: ResourceType<T>, sink: ReflectorSink<T>, options: ReflectorOptions) {
    this.#type = type;
    this.#sink = sink;
    this.#options = options;
  }

  /** Resolves when `signal` aborts, and not before. */
  async run(signal: AbortSignal): Promise<void> {
    let failures = 0;
    while (!signal.aborted) {
      this.#heard = false;
      const error = await this.#session(signal).then(
        () => undefined,
        (thrown: unknown) => thrown ?? new Error('nothing was thrown'),
      );
      if (signal.aborted) return;
      // A connection that closes without a word, however politely, must not be dialled in a tight loop.
      failures = (this.#heard ? 0 : failures) + (error !== undefined || !this.#heard ? 1 : 0);
      if (error !== undefined) this.#recover(error, failures);
      await this.#pause(failures, signal);
    }
  }

  /** One connection, from dialling to its end. */
  async #session(signal: AbortSignal): Promise<void> {
    if (this.#position !== undefined) await this.#checkHistory(signal);
    else {
      this.#sink.relisting(this.#reason);
      if (!this.#canStreamList || this.#listNext) await this.#list(signal);
    }
    await this.#watch(signal);
  }

  #recover(error: unknown, failures: number): void {
    this.#sink.failed(error, failures);
    const reason = relistReason(error);
    const isReadingAll = this.#position === undefined;
    // Servers without WatchList answer 422. Those that ignore the wish never send its end, just as dead ones.
    if (isReadingAll && isKubeError(error, 'INVALID')) this.#canStreamList = false;
    this.#listNext = isReadingAll && error instanceof SilenceError;
    if (reason === undefined || isReadingAll) return;
    this.#position = undefined;
    this.#reason = reason;
  }

  async #pause(failures: number, signal: AbortSignal): Promise<void> {
    if (failures === 0) return;
    const { clock, timing } = this.#options;
    await clock.sleep(backOffMs(timing.backOff, failures), signal).catch(() => undefined);
  }

  /**
   * A watch from a resourceVersion that the server has not reached stays silent, and silently skips what happened once
   * the server gets there. A list of one name that does not exist costs next to nothing and tells where the server is.
   */
  async #checkHistory(signal: AbortSignal): Promise<void> {
    const { client, scope } = this.#options;
    const where = scope.namespace === undefined ? {} : { namespace: scope.namespace };
    const probe = { ...where, fieldSelector: 'metadata.name=capn-revision-probe' };
    const { resourceVersion } = await client.list(this.#type, probe, signal);
    if (compareResourceVersions(resourceVersion, this.#seen) < 0) throw new HistoryError(this.#seen, resourceVersion);
  }

  async #list(signal: AbortSignal): Promise<void> {
    const { items, resourceVersion } = await this.#options.client.list(this.#type, this.#options.scope, signal);
    this.#hear();
    this.#replace(items, resourceVersion);
  }

  async #watch(signal: AbortSignal): Promise<void> {
    let unfinished = this.#position === undefined ? new Map<string, T>() : undefined;
    const { clock, timing } = this.#options;
    const limitMs = unfinished === undefined ? timing.silenceMs : timing.firstSilenceMs;
    for await (const event of withWatchdog((ended) => this.#dial(ended), { clock, limitMs }, signal)) {
      this.#hear();
      if (unfinished === undefined) this.#follow(event);
      else if (this.#collect(unfinished, event)) unfinished = undefined;
    }
  }

  #dial(signal: AbortSignal): AsyncIterable<WatchEvent<T>> {
    const { client, scope, timing } = this.#options;
    const [least, most] = timing.watchSeconds;
    const from = this.#position === undefined ? { sendInitialEvents: true } : { resourceVersion: this.#position };
    const timeoutSeconds = Math.round(least + Math.random() * (most - least));
    return client.watch(this.#type, { ...scope, ...from, timeoutSeconds }, signal);
  }

  /** Takes one event of the first read; answers whether that was its end. */
  #collect(objects: Map<string, T>, { type, object }: WatchEvent<T>): boolean {
    if (type === 'DELETED') objects.delete(formatKey(keyOf(object)));
    else if (type !== 'BOOKMARK') objects.set(formatKey(keyOf(object)), object);
    else if (object.metadata.annotations?.[initialEventsEnd] === 'true') {
      this.#replace([...objects.values()], object.metadata.resourceVersion ?? '');
      return true;
    }
    return false;
  }

  #follow({ type, object }: WatchEvent<T>): void {
    const { resourceVersion = '' } = object.metadata;
    if (compareResourceVersions(resourceVersion, this.#seen) < 0) throw new HistoryError(this.#seen, resourceVersion);
    if (type === 'DELETED') this.#sink.remove(object);
    else if (type !== 'BOOKMARK') this.#sink.put(object);
    this.#moveTo(resourceVersion);
  }

  #replace(objects: readonly T[], resourceVersion: string): void {
    const wentBack = compareResourceVersions(resourceVersion, this.#seen) < 0;
    this.#sink.replace(objects, wentBack ? 'nothing' : 'resourceVersions');
    this.#moveTo(resourceVersion);
  }

  #moveTo(resourceVersion: string): void {
    this.#position = resourceVersion;
    this.#seen = resourceVersion;
  }

  #hear(): void {
    this.#heard = true;
    this.#sink.heard();
  }
}
