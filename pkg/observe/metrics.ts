import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { type MetricRow, type MetricTable, metricTable } from './metric-table.ts';

type LabelNames<Row extends MetricRow> = Extract<keyof Row['labels'], string>;

type MetricOf<Row extends MetricRow> = {
  counter: Counter<LabelNames<Row>>;
  gauge: Gauge<LabelNames<Row>>;
  histogram: Histogram<LabelNames<Row>>;
}[Row['kind']];

/** A program's metrics, by their name in the table: `metrics.reconciles.inc({ controller, result })`. */
export type Metrics = { readonly [Name in keyof MetricTable]: MetricOf<MetricTable[Name]> } & {
  /** All metrics in Prometheus' text format. */
  text(): Promise<string>;
  readonly contentType: string;
  /** Calls `collect` before each {@link text}, for gauges that are read rather than counted. */
  onCollect(collect: () => void): void;
};

/** Makes one of each metric in a registry of its own. Those whose labels are all closed lists start at zero. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const collectors: (() => void)[] = [];
  const made = Object.fromEntries(Object.entries(metricTable).map(([name, row]) => [name, makeMetric(row, registry)]));
  return {
    // Object.fromEntries forgets which row belongs to which name; MetricOf says it again.
    ...(made as { [Name in keyof MetricTable]: MetricOf<MetricTable[Name]> }),
    text: async () => {
      for (const collect of collectors) collect();
      return await registry.metrics();
    },
    contentType: registry.contentType,
    onCollect: (collect) => void collectors.push(collect),
  };
}

function makeMetric(row: MetricRow, registry: Registry): Counter | Gauge | Histogram {
  const { kind, name, help, buckets } = row;
  const options = { name, help, labelNames: Object.keys(row.labels), registers: [registry] };
  if (kind === 'histogram')
    return new Histogram(buckets === undefined ? options : { ...options, buckets: [...buckets] });
  if (kind === 'gauge') return new Gauge(options);
  const counter = new Counter(options);
  for (const labels of closedCombinations(row)) counter.inc(labels, 0);
  return counter;
}

/** Every combination of label values; none when a label is not a closed list. */
function closedCombinations(row: MetricRow): Record<string, string>[] {
  return Object.entries(row.labels).reduce<Record<string, string>[]>(
    (found, [label, values]) =>
      typeof values === 'string'
        ? []
        : found.flatMap((labels) => values.map((value) => ({ ...labels, [label]: value }))),
    [{}],
  );
}
