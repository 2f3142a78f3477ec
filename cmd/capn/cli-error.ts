import type { ExitName } from './exit-codes.ts';

/** A failure as the user sees it: one line what is wrong, one line what to do, and the exit code. */
export class CliError extends Error {
  readonly exit: ExitName;
  /** What the user can do now. */
  readonly advice: string;

  constructor(exit: ExitName, message: string, advice: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'CliError';
    this.exit = exit;
    this.advice = advice;
  }
}
