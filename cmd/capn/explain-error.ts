import { CommanderError } from 'commander';
import { isKubeError, type ErrorCode, type KubeError } from '#kube';
import { CliError } from './cli-error.ts';
import type { ExitName } from './exit-codes.ts';

/** What is printed of an error. Empty lines are not printed. */
export interface Explanation {
  readonly exit: ExitName;
  readonly message: string;
  readonly advice: string;
}

const serverErrors: Readonly<Record<ErrorCode, { readonly exit: ExitName; readonly advice: string }>> = {
  ALREADY_EXISTS: { exit: 'refused', advice: 'choose another name, or look at it with: capn describe NAME' },
  CONFLICT: { exit: 'failed', advice: 'the object changed meanwhile; run the command again' },
  EXPIRED: { exit: 'failed', advice: 'run the command again' },
  UNAVAILABLE: {
    exit: 'unreachable',
    advice: 'check that the super cluster runs and that --kubeconfig and --context are right',
  },
  THROTTLED: { exit: 'unreachable', advice: 'the super cluster is busy; try again in a minute' },
  TIMEOUT: { exit: 'unreachable', advice: 'check the way to the super cluster, then try again' },
  UNAUTHORIZED: { exit: 'denied', advice: 'log in again, or choose another context with --context' },
  NOT_OURS: { exit: 'refused', advice: 'look who owns the object: its metadata.ownerReferences say so' },
  NOT_FOUND: { exit: 'notFound', advice: 'check the name and the namespace (-n); capn list -A shows what there is' },
  INVALID: {
    exit: 'invalid',
    advice: 'correct the field that is named; kubectl explain ncp.spec says what is allowed',
  },
  FORBIDDEN: {
    exit: 'denied',
    advice: 'ask the platform team for these rights, or choose another context with --context',
  },
  ABORTED: { exit: 'interrupted', advice: '' },
};

/** Refused before any server was asked: a kubeconfig or a name that cannot be used. */
const notAsked = { exit: 'wrongUse', advice: 'check the name, --kubeconfig, --context and KUBECONFIG' } as const;

/** Turns whatever a command threw into two lines and an exit code. */
export function explainError(error: unknown): Explanation {
  if (error instanceof CliError) return { exit: error.exit, message: error.message, advice: error.advice };
  if (error instanceof CommanderError) return explainCommander(error);
  if (isKubeError(error, 'INVALID') && error.status === undefined) return { ...notAsked, message: error.message };
  if (isKubeError(error)) return { ...serverErrors[error.code], message: messageOf(error) };
  if (isAbort(error)) return { exit: 'interrupted', message: 'interrupted', advice: '' };
  const message = error instanceof Error ? error.message : String(error);
  return {
    exit: 'failed',
    message,
    advice: isForeseen(error) ? '' : 'run it again with --debug to see where this comes from',
  };
}

function messageOf(error: KubeError): string {
  return error.code === 'ABORTED' ? 'interrupted' : error.message;
}

/** Commander has printed its message itself; help that was asked for is no failure. */
function explainCommander(error: CommanderError): Explanation {
  const wanted = error.exitCode === 0;
  return { exit: wanted ? 'ok' : 'wrongUse', message: '', advice: '' };
}

/** A plain Error was written for people and says itself what to do; others (TypeError, the system's) were not. */
function isForeseen(error: unknown): boolean {
  return error instanceof Error && error.constructor === Error && !('code' in error);
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}
