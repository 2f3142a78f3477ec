import { Command } from 'commander';
import { outputOption, withCommonFlags, type CommonFlags } from '../common-flags.ts';
import { readControlPlane } from '../describe/read-control-plane.ts';
import { renderTree } from '../describe/render-tree.ts';
import { outputFormats } from '../output/render-data.ts';
import { timeoutOption } from '../parse-duration.ts';
import { startLiveLine } from '../progress/live-line.ts';
import { waitForControlPlane } from '../progress/wait-for-control-plane.ts';
import { inSession, type CliContext, type Session } from '../session.ts';

interface DescribeFlags extends CommonFlags {
  readonly wait?: true;
  readonly timeout: number;
}

/** `capn describe NAME`: the tree of a control plane. */
export function describeCommand(context: CliContext): Command {
  return withCommonFlags(new Command('describe'))
    .description(
      'Show a control plane with its components, pods and claims, and what each waits for (all conditions with -o wide)',
    )
    .argument('<name>', 'name of the control plane')
    .option('--wait', 'follow it until it is available, then show it')
    .addOption(timeoutOption('10m'))
    .addOption(outputOption(outputFormats))
    .action(async (name: string, flags: DescribeFlags) => {
      await inSession(flags, context, async (session) => await describe(session, flags, name));
    });
}

async function describe(session: Session, flags: DescribeFlags, name: string): Promise<void> {
  const { client, namespace, terminal, signal } = session;
  const key = { namespace, name };
  if (flags.wait === true) await follow(session, flags, name);
  const view = await readControlPlane(client, key, signal);
  session.print(view, (wide) => renderTree(view, { now: new Date(), style: terminal.style, wide }));
}

async function follow(session: Session, flags: DescribeFlags, name: string): Promise<void> {
  const { client, namespace, terminal, signal } = session;
  await using live = startLiveLine(terminal, session.isQuiet);
  await waitForControlPlane(
    { client, key: { namespace, name }, until: 'Available', timeoutMs: flags.timeout, live },
    signal,
  );
}
