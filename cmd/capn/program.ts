import { Command } from 'commander';
import { connectCommand } from './commands/connect.ts';
import { createCommand } from './commands/create.ts';
import { deleteCommand } from './commands/delete.ts';
import { describeCommand } from './commands/describe.ts';
import { forwardCommand } from './commands/forward.ts';
import { kubeconfigCommand } from './commands/kubeconfig.ts';
import { listCommand } from './commands/list.ts';
import { sandboxCommand } from './commands/sandbox.ts';
import { versionCommand } from './commands/version.ts';
import { handDownFlags, outputOption, withCommonFlags } from './common-flags.ts';
import { outputFormats } from './output/render-data.ts';
import type { CliContext } from './session.ts';

/** The whole command line: every verb, each in a file of `commands/`. Nothing runs before `parseAsync`. */
export function buildProgram(context: CliContext): Command {
  const program = handDownFlags(withCommonFlags(new Command('capn')))
    .addOption(outputOption(outputFormats))
    .description('A Kubernetes cluster for every team, inside one that already exists. Also runs as kubectl capn.')
    .addCommand(createCommand(context))
    .addCommand(listCommand(context))
    .addCommand(describeCommand(context))
    .addCommand(kubeconfigCommand(context))
    .addCommand(connectCommand(context))
    .addCommand(deleteCommand(context))
    .addCommand(versionCommand(context))
    .addCommand(sandboxCommand(context))
    .addCommand(forwardCommand(context), { hidden: true });
  prepare(program, context);
  return program;
}

/** Errors are thrown rather than ending the process, and all text goes through the terminal. */
function prepare(command: Command, context: CliContext): void {
  const { terminal } = context;
  if (command.commands.length > 0) command.helpCommand(false);
  command.showHelpAfterError('(--help shows what is allowed)');
  command.exitOverride().configureOutput({
    writeOut: (text) => terminal.out(text),
    writeErr: (text) => terminal.note(text.trimEnd()),
  });
  for (const below of command.commands) prepare(below, context);
}
