import { ownedArguments, ownedArgumentReasons, versionRows, type ComponentName, type VersionRow } from '#apis';
import { errorCodes } from '#kube';
import { metricTable, type LabelValues, type MetricRow } from '#observe';
import { pageFile, type GeneratedFile } from '../generated-file.ts';
import { code, table } from '../markdown.ts';

const retries = {
  soon: 'again at once',
  backOff: 'again, less and less often',
  onChange: 'when the object changes',
  silent: 'no more',
} as const;

/** `errors.md`: the codes that a failed request can end with. */
export function errorsPage(): GeneratedFile {
  const rows = Object.entries(errorCodes).map(([name, { meaning, retry }]) => [code(name), meaning, retries[retry]]);
  const intro =
    'Every failed request to an API server ends as one of these codes, in logs and in what `capn` says. The last column says when the controllers try again.';
  return pageFile('errors', 'pkg/kube/errors.ts', ['# Errors', intro, table(['Code', 'Meaning', 'Tried again'], rows)]);
}

/** `metrics.md`: what `/metrics` shows. */
export function metricsPage(): GeneratedFile {
  const metrics: readonly MetricRow[] = Object.values(metricTable);
  const rows = [...metrics]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, kind, labels, help }) => [code(name), kind, labelText(labels), help]);
  const intro =
    'What a program shows at `/metrics`, on the port of its probes. No label ever holds the name of an object.';
  const headings = ['Metric', 'Kind', 'Labels', 'Meaning'];
  return pageFile('metrics', 'pkg/observe/metric-table.ts', ['# Metrics', intro, table(headings, rows)]);
}

function labelText(labels: Readonly<Record<string, LabelValues>>): string {
  return Object.entries(labels)
    .map(([name, values]) => (typeof values === 'string' ? code(name) : `${code(name)} (${values.join(', ')})`))
    .join('; ');
}

const componentTitles = {
  etcd: 'etcd',
  apiServer: 'kube-apiserver',
  controllerManager: 'kube-controller-manager',
} as const satisfies Record<ComponentName, string>;

/** `arguments.md`: which arguments `extraArgs` may not name, and why. */
export function argumentsPage(): GeneratedFile {
  const intro =
    '`extraArgs` of a component takes every argument of its program but these, which the control plane sets itself. The API server refuses them.';
  const sections = Object.entries(ownedArguments).flatMap(([component, groups]) => {
    const reasons: Readonly<Record<string, string>> = ownedArgumentReasons[component as ComponentName];
    const rows = Object.entries<readonly string[]>(groups).flatMap(([group, names]) =>
      names.map((name) => [code(`--${name}`), group, reasons[group] ?? '']),
    );
    return [`## ${componentTitles[component as ComponentName]}`, table(['Argument', 'About', 'Why'], rows)];
  });
  return pageFile('arguments', 'pkg/apis/owned-arguments.ts', ['# Arguments that are taken', intro, ...sections]);
}

/** `versions.md`: the Kubernetes versions that tenants can run. */
export function versionsPage(): GeneratedFile {
  const all: readonly VersionRow[] = versionRows;
  const rows = all.map(({ minor, tested, etcdTag, note }) => [`v1.${minor}.x`, tested, etcdTag, note]);
  const intro = 'The Kubernetes versions that a tenant can run. Every patch release of a minor is accepted.';
  const headings = ['Version', 'Tested', 'etcd image', 'Note'];
  return pageFile('versions', 'pkg/apis/versions.ts', ['# Kubernetes versions', intro, table(headings, rows)]);
}
