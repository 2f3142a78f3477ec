import { exitCodes } from './exit-codes.ts';
import { explainError } from './explain-error.ts';
import type { Terminal } from './terminal.ts';

export interface ReportOptions {
  /** Name of the program, before the message. */
  readonly program: string;
  /** Print where the error comes from, too. */
  readonly isDebug: boolean;
}

/** Says on stderr what went wrong, a line what and a line what to do, and returns the exit code. */
export function reportError(error: unknown, { note }: Pick<Terminal, 'note'>, options: ReportOptions): number {
  const { exit, message, advice } = explainError(error);
  if (message !== '') note(`${options.program}: ${message}`);
  if (advice !== '') note(`  ${advice}`);
  if (options.isDebug && error instanceof Error && message !== '') note(stackOf(error));
  return exitCodes[exit].code;
}

function stackOf(error: Error): string {
  const cause = error.cause instanceof Error ? `\ncaused by ${stackOf(error.cause)}` : '';
  return `${error.stack ?? error.message}${cause}`;
}
