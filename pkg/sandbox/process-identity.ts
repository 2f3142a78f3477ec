import { readFileSync } from 'node:fs';

/**
 * A process on this machine, told apart from any later one with the same id: by its start time (clock ticks since boot,
 * field 22 of /proc/PID/stat, proc(5)) and by the boot.
 */
export interface ProcessIdentity {
  readonly pid: number;
  readonly startTime: string;
  readonly bootId: string;
}

/** Whether that very process still runs (one that ended and only waits to be reaped does not). */
export function isRunning(identity: ProcessIdentity): boolean {
  if (identity.bootId !== currentBootId()) return false;
  const stat = readStat(identity.pid);
  return stat !== undefined && stat.startTime === identity.startTime && stat.state !== 'Z' && stat.state !== 'X';
}

/** Random, and another one after each boot. */
export function currentBootId(): string {
  return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
}

/** What a line of /proc/PID/stat says about a process; the command's name in it may hold spaces and brackets. */
export function parseStat(line: string): { readonly pid: number; readonly state: string; readonly startTime: string } {
  const fields = line
    .slice(line.lastIndexOf(')') + 2)
    .trim()
    .split(' ');
  const [state = '?'] = fields;
  return { pid: Number.parseInt(line, 10), state, startTime: fields[19] ?? '' };
}

function readStat(pid: number): ReturnType<typeof parseStat> | undefined {
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return undefined;
  }
}
