import { exitCodes } from './exit-codes.ts';
import { explainError } from './explain-error.ts';
import { buildProgram } from './program.ts';
import type { CliContext } from './session.ts';

/**
 * Runs one command line (without node and file name) and returns its exit code. Never throws: what went wrong is on
 * stderr, a line what and a line what to do.
 */
export async function run(args: readonly string[], context: CliContext): Promise<number> {
  try {
    await buildProgram(context).parseAsync(args, { from: 'user' });
    return exitCodes.ok.code;
  } catch (error) {
    const { exit, message, advice } = explainError(error);
    if (message !== '') context.terminal.note(`capn: ${message}`);
    if (advice !== '') context.terminal.note(`  ${advice}`);
    if (args.includes('--debug') && error instanceof Error && message !== '') context.terminal.note(stackOf(error));
    return exitCodes[exit].code;
  }
}

function stackOf(error: Error): string {
  const cause = error.cause instanceof Error ? `\ncaused by ${stackOf(error.cause)}` : '';
  return `${error.stack ?? error.message}${cause}`;
}
