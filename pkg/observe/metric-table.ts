/** Values of a label: a closed list, or names fixed in code (of controllers, steps, resources), never of objects. */
export type LabelValues = readonly string[] | 'fixed in code';

/** One metric. Times are in seconds; counters end in `_total`. */
export interface MetricRow {
  readonly kind: 'counter' | 'gauge' | 'histogram';
  readonly name: `capn_${string}`;
  readonly help: string;
  readonly labels: Readonly<Record<string, LabelValues>>;
  /** Upper bounds of a histogram's buckets. */
  readonly buckets?: readonly number[];
}

/** How a reconcile ended: by result, or by what its error asks for (see the controller loop in #runtime). */
export const reconcileResults = ['done', 'again', 'soon', 'backOff', 'onChange', 'silent', 'panic'] as const;

/** Why an informer read everything anew: the first time, history lost (410), silence, a store that went back. */
export const relistReasons = ['start', 'expired', 'silent', 'backwards'] as const;

/** Classes of HTTP answers; `none` when no answer came. */
export const answerCodes = ['1xx', '2xx', '3xx', '4xx', '5xx', 'none'] as const;

export const requestVerbs = ['get', 'list', 'watch', 'create', 'replace', 'patch', 'apply', 'delete', 'raw'] as const;

const fast = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30] as const;

/** Every metric of every program. `docs/reference/metrics.md` is generated from it. */
export const metricTable = {
  queueDepth: {
    kind: 'gauge',
    name: 'capn_queue_depth',
    help: 'Keys that wait to be worked on now (not those that wait for a later time).',
    labels: { queue: 'fixed in code' },
  },
  queueAdds: {
    kind: 'counter',
    name: 'capn_queue_adds_total',
    help: 'Keys that became due for work; adds of a key that was due already do not count.',
    labels: { queue: 'fixed in code' },
  },
  queueWait: {
    kind: 'histogram',
    name: 'capn_queue_wait_seconds',
    help: 'Time from when a key was due until its work began.',
    labels: { queue: 'fixed in code' },
    buckets: fast,
  },
  queueRetries: {
    kind: 'counter',
    name: 'capn_queue_retries_total',
    help: 'Runs after which the key was put back with back-off.',
    labels: { queue: 'fixed in code' },
  },
  reconciles: {
    kind: 'counter',
    name: 'capn_reconciles_total',
    help: 'Reconciles, by how they ended.',
    labels: { controller: 'fixed in code', result: reconcileResults },
  },
  reconcileDuration: {
    kind: 'histogram',
    name: 'capn_reconcile_seconds',
    help: 'Time that a reconcile took.',
    labels: { controller: 'fixed in code' },
    buckets: fast,
  },
  stepDuration: {
    kind: 'histogram',
    name: 'capn_step_seconds',
    help: 'Time that a step of a reconcile took.',
    labels: { controller: 'fixed in code', step: 'fixed in code' },
    buckets: fast,
  },
  informerEvents: {
    kind: 'counter',
    name: 'capn_informer_events_total',
    help: 'Changes that an informer told its handlers.',
    labels: { resource: 'fixed in code', change: ['added', 'updated', 'deleted'] },
  },
  informerRelists: {
    kind: 'counter',
    name: 'capn_informer_relists_total',
    help: 'Times that an informer read everything anew, by reason.',
    labels: { resource: 'fixed in code', reason: relistReasons },
  },
  informerObjects: {
    kind: 'gauge',
    name: 'capn_informer_objects',
    help: 'Objects that an informer holds.',
    labels: { resource: 'fixed in code' },
  },
  informerAge: {
    kind: 'gauge',
    name: 'capn_informer_last_event_age_seconds',
    help: 'Time since the API server last sent anything on the watch. Bookmarks come about once a minute.',
    labels: { resource: 'fixed in code' },
  },
  leader: {
    kind: 'gauge',
    name: 'capn_leader',
    help: '1 while this process holds the Lease.',
    labels: {},
  },
  panics: {
    kind: 'counter',
    name: 'capn_panics_total',
    help: 'Errors that nobody foresaw: bugs of ours. The process went on.',
    labels: { where: ['reconcile', 'handler', 'queue', 'informer'] },
  },
  apiRequests: {
    kind: 'counter',
    name: 'capn_api_requests_total',
    help: 'Calls to API servers, by verb and class of the last answer; watches count when they end.',
    labels: { verb: requestVerbs, code: answerCodes },
  },
} as const satisfies Readonly<Record<string, MetricRow>>;

export type MetricTable = typeof metricTable;
