import { Command } from 'commander';
import { systemNamespace } from '#apis';
import { KubeError, resources, type Deployment } from '#kube';
import packageFile from '../../../package.json' with { type: 'json' };
import { outputOption, withCommonFlags, type CommonFlags } from '../common-flags.ts';
import { outputFormats, renderData } from '../output/render-data.ts';
import { openSession, type CliContext, type Session } from '../session.ts';

interface VersionFlags extends CommonFlags {
  readonly client?: true;
}

interface Versions {
  readonly client: string;
  /** Images of the provider's Deployments. */
  readonly provider?: readonly { readonly name: string; readonly image: string; readonly ready: boolean }[];
  /** The super cluster's Kubernetes. */
  readonly super?: string;
}

/** `capn version`: of this program, of the provider in the super cluster, and of the super cluster. */
export function versionCommand(context: CliContext): Command {
  return withCommonFlags(new Command('version'))
    .description('Show the versions of this program, of the provider and of the super cluster')
    .option('--client', 'of this program only; asks no server')
    .addOption(outputOption(outputFormats))
    .action(async (flags: VersionFlags) => await version(flags, context));
}

async function version(flags: VersionFlags, context: CliContext): Promise<void> {
  const client = `v${packageFile.version}`;
  if (flags.client === true)
    return context.terminal.out(renderData({ client }, flags.output ?? 'table') ?? `client: ${client}\n`);
  await using session = await openSession(flags, context);
  const versions = {
    client,
    super: await superVersion(session),
    provider: await providerVersions(session),
  };
  session.print(versions, () => versionText(versions));
}

async function superVersion({ client, signal }: Session): Promise<string> {
  const { status, body } = await client.raw({ method: 'GET', path: '/version', timeoutMs: 10_000 }, signal);
  if (status !== 200)
    throw new KubeError(`GET /version: ${client.server} answered ${status}`, {
      code: status === 401 || status === 403 ? 'UNAUTHORIZED' : 'UNAVAILABLE',
      status,
    });
  return (JSON.parse(body) as { readonly gitVersion: string }).gitVersion;
}

async function providerVersions({ client, signal }: Session): Promise<NonNullable<Versions['provider']>> {
  const { items } = await client.list(resources.deployments, { namespace: systemNamespace }, signal);
  return items.map((deployment) => ({
    name: deployment.metadata.name ?? '',
    image: deployment.spec?.template.spec?.containers[0]?.image ?? '?',
    ready: isReady(deployment),
  }));
}

function isReady({ spec, status }: Deployment): boolean {
  return (status?.readyReplicas ?? 0) >= (spec?.replicas ?? 1);
}

/** The lines for people. Pure. */
export function versionText({ client, provider = [], super: superCluster }: Versions): string {
  const deployments = provider.map(
    ({ name, image, ready }) => `provider: ${image} (${name}, ${ready ? 'ready' : 'not ready'})\n`,
  );
  const installed =
    deployments.length === 0 ? `provider: not installed (no Deployment in ${systemNamespace})\n` : deployments.join('');
  return `client: ${client}\n${installed}super: Kubernetes ${superCluster}\n`;
}
