import { Command } from 'commander';
import { nestedControlPlanes, versionRows, type NestedControlPlane } from '#apis';
import { resources, type KubeObject, type ObjectKey } from '#kube';
import { CliError } from '../cli-error.ts';
import { outputOption, withCommonFlags, type CommonFlags } from '../common-flags.ts';
import { notInstalled } from '../control-plane.ts';
import { outputFormats } from '../output/render-data.ts';
import { timeoutOption } from '../parse-duration.ts';
import { startLiveLine } from '../progress/live-line.ts';
import { waitForControlPlane } from '../progress/wait-for-control-plane.ts';
import { inSession, type CliContext, type Session } from '../session.ts';

interface CreateFlags extends CommonFlags {
  readonly version: string;
  readonly wait?: true;
  readonly timeout: number;
  readonly dryRun?: true;
}

const fieldManager = 'capn';

/** `capn create NAME`: makes a control plane. */
export function createCommand(context: CliContext): Command {
  const newest = versionRows.at(-1)?.tested ?? '';
  return withCommonFlags(new Command('create'))
    .description('Create a tenant control plane')
    .argument('<name>', 'its name: a DNS label that starts with a letter')
    .option('--version <version>', "version of the tenant's Kubernetes", withLetterV, newest)
    .option('--wait', 'wait until it is available')
    .addOption(timeoutOption('10m'))
    .option('--dry-run', 'ask the server whether it would accept it, and print it, without making it')
    .addOption(outputOption(outputFormats))
    .action(async (name: string, flags: CreateFlags) => {
      await inSession(flags, context, async (session) => await create(session, flags, name));
    });
}

/** People write 1.36.3 as often as v1.36.3. */
function withLetterV(version: string): string {
  return /^\d/.test(version) ? `v${version}` : version;
}

async function create(session: Session, flags: CreateFlags, name: string): Promise<void> {
  const { client, namespace, signal } = session;
  const key = { namespace, name };
  const wanted = controlPlaneManifest(key, flags.version);
  await refuseExisting(session, key);
  if (flags.dryRun === true) return await dryRun(session, wanted);
  const created = await client.create(nestedControlPlanes, wanted as NestedControlPlane, signal);
  if (flags.wait === true) await follow(session, key, flags.timeout);
  const result = flags.wait === true ? await client.get(nestedControlPlanes, key, signal) : created;
  session.print(result, () => `nestedcontrolplane/${name} created\n`);
  session.note(nextStep(key, flags.wait === true));
}

/** The smallest useful NestedControlPlane. Pure. */
function controlPlaneManifest({ namespace, name }: Required<ObjectKey>, version: string) {
  const { apiVersion, kind } = nestedControlPlanes;
  return { apiVersion, kind, metadata: { namespace, name }, spec: { version } } satisfies KubeObject & { spec: object };
}

async function refuseExisting({ client, signal }: Session, key: Required<ObjectKey>): Promise<void> {
  const [existing, namespace] = await Promise.all([
    client.list(nestedControlPlanes, { ...key, fieldSelector: `metadata.name=${key.name}` }, signal),
    client.get(resources.namespaces, { name: key.namespace }, signal).catch(() => 'unknown' as const),
  ]).catch((error: unknown) => {
    throw isMissingResource(error) ? notInstalled(client.server) : error;
  });
  if (namespace === undefined) {
    throw new CliError(
      'notFound',
      `there is no namespace '${key.namespace}'`,
      `make it with: kubectl create namespace ${key.namespace}`,
    );
  }
  if (existing.items.length === 0) return;
  throw new CliError(
    'refused',
    `NestedControlPlane '${key.name}' is in namespace '${key.namespace}' already`,
    `look at it with: capn describe ${key.name} -n ${key.namespace}; or choose another name`,
  );
}

function isMissingResource(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'NOT_FOUND';
}

async function dryRun({ client, signal, print, note }: Session, wanted: KubeObject): Promise<void> {
  const answer = await client.apply(nestedControlPlanes, wanted, { fieldManager, dryRun: true }, signal);
  print(answer, () => `nestedcontrolplane/${answer.metadata.name} would be created\n`);
  note('nothing was made (--dry-run); -o yaml prints the object with its defaults');
}

async function follow(
  { client, terminal, isQuiet, signal }: Session,
  key: Required<ObjectKey>,
  timeoutMs: number,
): Promise<void> {
  await using live = startLiveLine(terminal, isQuiet);
  await waitForControlPlane({ client, key, until: 'Available', timeoutMs, live }, signal);
}

function nextStep({ namespace, name }: Required<ObjectKey>, waited: boolean): string {
  return waited
    ? `use it: capn kubeconfig ${name} -n ${namespace} > ${name}.kubeconfig`
    : `follow it: capn describe ${name} -n ${namespace} --wait`;
}
