import { Command } from 'commander';
import { withCommonFlags, type CommonFlags } from '../common-flags.ts';
import { keepForwarding } from '../connection/keep-forwarding.ts';
import { requireControlPlane } from '../control-plane.ts';
import { inSession, type CliContext, type Session } from '../session.ts';

/** `capn forward NAME`, hidden: the background process of `capn kubeconfig`. */
export function forwardCommand(context: CliContext): Command {
  return withCommonFlags(new Command('forward'))
    .description('Forward a local port to a tenant until nobody needs it (started by capn kubeconfig)')
    .argument('<name>', 'name of the control plane')
    .action(async (name: string, flags: CommonFlags) => {
      await inSession(flags, context, async (session) => await forward(session, name));
    });
}

async function forward(session: Session, name: string): Promise<void> {
  const { client, config, namespace, terminal, signal } = session;
  const controlPlane = await requireControlPlane(client, { namespace, name }, signal);
  const log = (line: string): void => terminal.note(`${new Date().toISOString()} ${line}`);
  log(`ended: ${await keepForwarding({ client, config, controlPlane, log }, signal)}`);
}
