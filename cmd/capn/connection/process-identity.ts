import { readFileSync } from 'node:fs';

/** A process of this machine, told apart from a later one with the same id by its start time (proc(5), field 22). */
export interface ProcessIdentity {
  readonly pid: number;
  /** Clock ticks since boot; empty on systems without /proc. */
  readonly startTime: string;
}

/** The identity of this process. */
export function ownIdentity(): ProcessIdentity {
  return { pid: process.pid, startTime: startTimeOf(process.pid) };
}

/** Whether that very process runs. */
export function isAlive({ pid, startTime }: ProcessIdentity): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  return startTimeOf(pid) === startTime;
}

/** Asks that very process to end; says whether it ran. */
export function endProcess(identity: ProcessIdentity): boolean {
  if (!isAlive(identity)) return false;
  process.kill(identity.pid, 'SIGTERM');
  return true;
}

function startTimeOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The command's name, in brackets, may hold spaces and brackets itself.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}
