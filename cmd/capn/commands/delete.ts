import { Command } from 'commander';
import { nestedControlPlanes } from '#apis';
import { formatKey, uidOf } from '#kube';
import { CliError } from '../cli-error.ts';
import { outputOption, withCommonFlags, type CommonFlags } from '../common-flags.ts';
import { readControlPlane, type ControlPlaneView } from '../describe/read-control-plane.ts';
import { outputFormats } from '../output/render-data.ts';
import { timeoutOption } from '../parse-duration.ts';
import { startLiveLine } from '../progress/live-line.ts';
import { waitForControlPlane } from '../progress/wait-for-control-plane.ts';
import { inSession, type CliContext, type Session } from '../session.ts';

interface DeleteFlags extends CommonFlags {
  readonly yes?: true;
  readonly wait?: true;
  readonly timeout: number;
}

/** `capn delete NAME`: says what goes, asks, deletes. */
export function deleteCommand(context: CliContext): Command {
  return withCommonFlags(new Command('delete'))
    .description('Delete a tenant control plane; says what goes with it and asks first')
    .argument('<name>', 'name of the control plane')
    .option('-y, --yes', 'do not ask')
    .option('--wait', 'wait until it is gone')
    .addOption(timeoutOption('5m'))
    .addOption(outputOption(outputFormats))
    .action(async (name: string, flags: DeleteFlags) => {
      await inSession(flags, context, async (session) => await remove(session, flags, name));
    });
}

async function remove(session: Session, flags: DeleteFlags, name: string): Promise<void> {
  const { client, namespace, signal } = session;
  const key = { namespace, name };
  const view = await readControlPlane(client, key, signal);
  for (const line of whatGoes(view)) session.note(line);
  if (flags.yes !== true) await confirm(session, name);
  const { controlPlane } = view;
  await client.delete(nestedControlPlanes, key, { uid: uidOf(controlPlane) }, signal);
  if (flags.wait === true) await follow(session, key, flags.timeout);
  const done = flags.wait === true ? 'deleted' : 'is being deleted';
  session.print(
    { ...key, kind: controlPlane.kind, uid: uidOf(controlPlane), state: done },
    () => `nestedcontrolplane/${name} ${done}\n`,
  );
}

/** What a deletion takes along and what it leaves, a line each. Pure. */
export function whatGoes({ controlPlane, components, pods, claims }: ControlPlaneView): readonly string[] {
  const { deletionPolicy } = controlPlane.spec;
  const claimNames = claims.map(({ metadata }) => metadata.name).join(', ');
  const retained = `  kept: claim ${claimNames} (deletionPolicy Retain); a later control plane of this name never adopts it`;
  const lost = `  claim ${claimNames}: the tenant's data, for good (deletionPolicy Delete)`;
  return [
    `this deletes NestedControlPlane ${formatKey({ namespace: controlPlane.metadata.namespace ?? '', name: controlPlane.metadata.name ?? '' })} and with it:`,
    ...components.map(({ kind, metadata }) => `  ${kind} ${metadata.name}`),
    ...(pods.length === 0
      ? []
      : [
          `  ${pods.length === 1 ? '1 pod' : `${pods.length} pods`}: ${pods.map(({ metadata }) => metadata.name).join(', ')}`,
        ]),
    '  its certificates and kubeconfigs: everyone who uses the tenant loses access',
    ...(claims.length === 0 ? [] : [deletionPolicy === 'Retain' ? retained : lost]),
  ];
}

/** **Errors** `refused` unless the user types the name; at once where nobody can be asked. */
async function confirm({ terminal, signal }: Session, name: string): Promise<void> {
  if (!terminal.canAsk) {
    throw new CliError('refused', 'not deleted: nobody can be asked here', 'add --yes to delete without a question');
  }
  const answer = await terminal.ask(`type the name (${name}) to delete it: `, signal);
  if (answer !== name) throw new CliError('refused', 'not deleted: the name was not typed', 'nothing was changed');
}

async function follow(session: Session, key: { namespace: string; name: string }, timeoutMs: number): Promise<void> {
  const { client, terminal, isQuiet, signal } = session;
  await using live = startLiveLine(terminal, isQuiet);
  await waitForControlPlane({ client, key, until: 'gone', timeoutMs, live }, signal);
}
