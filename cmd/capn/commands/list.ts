import { Command } from 'commander';
import type { NestedControlPlane } from '#apis';
import { findCondition } from '#kube';
import { outputOption, withCommonFlags, type CommonFlags } from '../common-flags.ts';
import { listControlPlanes } from '../control-plane.ts';
import { formatAge } from '../output/format-age.ts';
import { outputFormats } from '../output/render-data.ts';
import { renderTable, type Column } from '../output/render-table.ts';
import { inSession, type CliContext, type Session } from '../session.ts';

interface ListFlags extends CommonFlags {
  readonly allNamespaces?: true;
}

/** `capn list`: the control planes of a namespace, or of all. */
export function listCommand(context: CliContext): Command {
  return withCommonFlags(new Command('list'))
    .description('List tenant control planes')
    .option('-A, --all-namespaces', 'in all namespaces')
    .addOption(outputOption(outputFormats))
    .action(async (flags: ListFlags) => {
      await inSession(flags, context, async (session) => await list(session, flags));
    });
}

async function list(session: Session, flags: ListFlags): Promise<void> {
  const all = flags.allNamespaces === true;
  const items = await listControlPlanes(session.client, all ? undefined : session.namespace, session.signal);
  session.print({ apiVersion: 'v1', kind: 'List', items }, (wide) => listText(items, { all, wide, now: new Date() }));
  if (items.length > 0 || session.output === 'json' || session.output === 'yaml') return;
  session.note(
    all ? 'no control plane in any namespace; make one with: capn create NAME' : emptyNote(session.namespace),
  );
}

function emptyNote(namespace: string): string {
  return `no control plane in namespace '${namespace}'; capn list -A looks in all, capn create NAME makes one`;
}

/** The table; empty when there is nothing to list. Pure. */
export function listText(
  items: readonly NestedControlPlane[],
  { all, wide, now }: { readonly all: boolean; readonly wide: boolean; readonly now: Date },
): string {
  if (items.length === 0) return '';
  const namespace: Column<NestedControlPlane> = {
    heading: 'NAMESPACE',
    value: ({ metadata }) => metadata.namespace ?? '',
  };
  return renderTable([...(all ? [namespace] : []), ...columns(now)], items, wide);
}

function columns(now: Date): readonly Column<NestedControlPlane>[] {
  const available = ({ status }: NestedControlPlane) => findCondition(status?.conditions, 'Available');
  return [
    { heading: 'NAME', value: ({ metadata }) => metadata.name ?? '' },
    { heading: 'AVAILABLE', value: (item) => available(item)?.status ?? 'Unknown' },
    { heading: 'READY', value: ({ spec, status }) => `${status?.readyReplicas ?? 0}/${spec.replicas}` },
    { heading: 'VERSION', value: ({ spec }) => spec.version },
    { heading: 'RUNNING', value: ({ status }) => status?.version ?? '-', wide: true },
    { heading: 'ENDPOINT', value: endpointOf, wide: true },
    { heading: 'SERVICES', value: ({ status }) => status?.serviceCIDR ?? '-', wide: true },
    { heading: 'REASON', value: (item) => available(item)?.reason ?? '-' },
    { heading: 'AGE', value: ({ metadata }) => formatAge(metadata.creationTimestamp, now) },
  ];
}

function endpointOf({ spec }: NestedControlPlane): string {
  const { controlPlaneEndpoint } = spec;
  return controlPlaneEndpoint === undefined ? '-' : `${controlPlaneEndpoint.host}:${controlPlaneEndpoint.port}`;
}
