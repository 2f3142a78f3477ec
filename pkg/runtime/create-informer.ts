import type { Logger, Metrics } from '#observe';
import { isKubeError, type KubeClient, type KubeObject, type ObjectKey, type ResourceType } from '#kube';
import type { Change } from './change.ts';
import { type Clock, systemClock } from './clock.ts';
import type { Informer, InformerDependencies, InformerOptions } from './informer.ts';
import { ObjectStore } from './object-store.ts';
import { Reflector, type ReflectorSink } from './reflector.ts';
import { defaultTiming } from './reflector-timing.ts';
import { HistoryError, type RelistReason } from './relist.ts';
import { untilAborted } from './until-aborted.ts';
import { SilenceError } from './watchdog.ts';

/** Makes an informer; nothing is read before `run`. */
export function createInformer<T extends KubeObject>(
  client: KubeClient,
  type: ResourceType<T>,
  options: InformerOptions<T> = {},
  dependencies: InformerDependencies = {},
): Informer<T> {
  return new ReflectedInformer({ client, type }, options, dependencies);
}

class ReflectedInformer<T extends KubeObject> implements Informer<T>, ReflectorSink<T> {
  readonly type: ResourceType<T>;
  readonly #store = new ObjectStore<T>();
  readonly #handlers: ((change: Change<T>) => void)[] = [];
  readonly #reflector: Reflector<T>;
  readonly #options: InformerOptions<T>;
  readonly #clock: Clock;
  readonly #metrics: Metrics | undefined;
  readonly #logger: Logger | undefined;
  readonly #firstRead = Promise.withResolvers<void>();
  #isSynced = false;
  #lastEventMs: number;

  constructor(
    { client, type }: { readonly client: KubeClient; readonly type: ResourceType<T> },
    options: InformerOptions<T>,
    { clock = systemClock, logger, metrics, timing }: InformerDependencies,
  ) {
    this.type = type;
    this.#options = options;
    this.#clock = clock;
    this.#lastEventMs = clock.monotonicMs();
    this.#logger = logger?.child({ resource: type.plural });
    this.#metrics = metrics;
    const { prune: _, ...scope } = options;
    this.#reflector = new Reflector(type, this, { client, scope, clock, timing: { ...defaultTiming, ...timing } });
    metrics?.onCollect(() => this.#collect(metrics));
  }

  get isSynced(): boolean {
    return this.#isSynced;
  }

  get lastEventAgeMs(): number {
    return this.#clock.monotonicMs() - this.#lastEventMs;
  }

  async run(signal: AbortSignal): Promise<void> {
    await this.#reflector.run(signal);
  }

  async synced(signal: AbortSignal): Promise<void> {
    await Promise.race([this.#firstRead.promise, untilAborted(signal)]);
    // What was read counts, even if both happened.
    if (!this.#isSynced) signal.throwIfAborted();
  }

  get(key: ObjectKey): T | undefined {
    return this.#store.get(key);
  }

  list(namespace?: string): readonly T[] {
    return this.#store.list(namespace);
  }

  byOwner(uid: string): readonly T[] {
    return this.#store.byOwner(uid);
  }

  onChange(handler: (change: Change<T>) => void): void {
    this.#handlers.push(handler);
  }

  replace(objects: readonly T[], trust: 'resourceVersions' | 'nothing'): void {
    this.#tell(
      this.#store.replace(
        objects.map((object) => this.#pruned(object)),
        trust,
      ),
    );
    this.#isSynced = true;
    this.#firstRead.resolve();
  }

  put(object: T): void {
    this.#tell(this.#store.put(this.#pruned(object)));
  }

  remove(object: T): void {
    this.#tell(this.#store.remove(this.#pruned(object)));
  }

  heard(): void {
    this.#lastEventMs = this.#clock.monotonicMs();
  }

  relisting(reason: RelistReason): void {
    this.#metrics?.informerRelists.inc({ resource: this.type.plural, reason });
    this.#logger?.debug({ reason }, 'Reading all objects');
  }

  failed(error: unknown, failures: number): void {
    if (isKubeError(error) || error instanceof SilenceError || error instanceof HistoryError) {
      // Connections come and go; only what lasts is worth a line.
      this.#logger?.[failures > 1 ? 'warn' : 'debug']({ error, failures }, 'Watch failed, dialling again');
      return;
    }
    this.#logger?.error({ error }, 'Informer failed by a bug');
    this.#metrics?.panics.inc({ where: 'informer' });
  }

  #pruned(object: T): T {
    const { prune = (whole) => whole } = this.#options;
    // Assigning undefined costs less memory than a copy without the field.
    return prune({ ...object, metadata: { ...object.metadata, managedFields: undefined } });
  }

  #tell(changes: readonly Change<T>[]): void {
    for (const change of changes) {
      this.#metrics?.informerEvents.inc({ resource: this.type.plural, change: change.kind });
      for (const handler of this.#handlers) this.#call(handler, change);
    }
  }

  #call(handler: (change: Change<T>) => void, change: Change<T>): void {
    try {
      handler(change);
    } catch (error) {
      this.#logger?.error({ error, change: change.kind }, 'Handler of a change threw');
      this.#metrics?.panics.inc({ where: 'handler' });
    }
  }

  #collect(metrics: Metrics): void {
    const resource = this.type.plural;
    metrics.informerObjects.set({ resource }, this.#store.size);
    metrics.informerAge.set({ resource }, this.lastEventAgeMs / 1000);
  }
}
