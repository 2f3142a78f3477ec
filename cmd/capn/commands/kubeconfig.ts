import { Command } from 'commander';
import { CliError } from '../cli-error.ts';
import { outputOption, withCommonFlags, type CommonFlags } from '../common-flags.ts';
import { kubeconfigFromHere } from '../connection/kubeconfig-from-here.ts';
import { kubeconfigText, type TenantKubeconfig } from '../connection/tenant-kubeconfig.ts';
import { renderData } from '../output/render-data.ts';
import { inSession, type CliContext, type Session } from '../session.ts';
import { mergeIntoFile, userKubeconfigFile, writeOwnFile } from '../write-kubeconfig.ts';

interface KubeconfigFlags extends CommonFlags {
  readonly merge?: true;
  readonly out?: string;
  readonly force?: true;
}

/** `capn kubeconfig NAME`: a kubeconfig of the tenant that works from here. */
export function kubeconfigCommand(context: CliContext): Command {
  return withCommonFlags(new Command('kubeconfig'))
    .description(
      'Print a kubeconfig of the tenant that works from here; where its address cannot be reached, a port-forward is started in the background',
    )
    .argument('<name>', 'name of the control plane')
    .option(
      '--merge',
      "add it to the user's kubeconfig file (KUBECONFIG, else ~/.kube/config); never overwrites other entries",
    )
    .option('--out <file>', 'write it to this file, readable by its owner only')
    .option('--force', 'with --merge or --out: replace what is there under the same names')
    .addOption(outputOption(['yaml', 'json']))
    .action(async (name: string, flags: KubeconfigFlags) => {
      await inSession(flags, context, async (session) => await kubeconfig(session, flags, name));
    });
}

async function kubeconfig(session: Session, flags: KubeconfigFlags, name: string): Promise<void> {
  if (flags.merge === true && flags.out !== undefined) {
    throw new CliError('wrongUse', '--merge and --out exclude each other', 'give one of them');
  }
  const { client, source, namespace, signal } = session;
  const access = { client, source, ...(flags.context === undefined ? {} : { context: flags.context }) };
  const found = await kubeconfigFromHere(access, { namespace, name }, signal);
  if (found.port !== undefined) session.note(forwardNote(found.port, namespace, name));
  await deliver(session, flags, found.kubeconfig);
}

function forwardNote(port: number, namespace: string, name: string): string {
  return `the tenant's address cannot be reached from here: a background process forwards 127.0.0.1:${port} to it; it ends by itself an hour after its last use (this command starts it again on the same port), or with: capn connect --stop ${name} -n ${namespace}`;
}

async function deliver(session: Session, flags: KubeconfigFlags, found: TenantKubeconfig): Promise<void> {
  const context = found['current-context'];
  const force = flags.force === true;
  if (flags.merge === true) {
    const file = await userKubeconfigFile();
    const change = await mergeIntoFile(file, found, force);
    session.note(
      `${change === 'same' ? 'is in' : 'added to'} ${file}; use it: kubectl --context ${context} get namespaces`,
    );
  } else if (flags.out !== undefined) {
    await writeOwnFile(flags.out, found, force);
    session.note(`written to ${flags.out}; use it: kubectl --kubeconfig ${flags.out} get namespaces`);
  } else session.terminal.out(renderData(found, session.output) ?? kubeconfigText(found));
}
