import { CliError } from './cli-error.ts';
import { exitCodes } from './exit-codes.ts';
import { buildProgram } from './program.ts';
import { reportError } from './report-error.ts';
import type { CliContext } from './session.ts';

/**
 * Runs one command line (without node and file name) and returns its exit code. Never throws: what went wrong is on
 * stderr.
 */
export async function run(args: readonly string[], context: CliContext): Promise<number> {
  try {
    await buildProgram(context).parseAsync(args, { from: 'user' });
    return exitCodes.ok.code;
  } catch (error) {
    const options = { program: 'capn', isDebug: args.includes('--debug') };
    return reportError(context.signal.aborted ? interrupted(error) : error, context.terminal, options);
  }
}

/** After Ctrl-C, what a command stumbles over (a program that ended, a closed connection) is no failure of its own. */
function interrupted(error: unknown): CliError {
  const isTold = error instanceof CliError && error.exit === 'interrupted';
  return isTold ? error : new CliError('interrupted', 'interrupted', '', error);
}
