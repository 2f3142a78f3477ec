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
    return reportError(error, context.terminal, { program: 'capn', isDebug: args.includes('--debug') });
  }
}
