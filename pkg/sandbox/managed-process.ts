import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, openSync, closeSync, readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { isRunning, parseStat, type ProcessIdentity } from './process-identity.ts';
import { pollUntil } from './poll-until.ts';

/** A program that goes on running after the process that started it has ended. */
export interface ProcessSpec {
  readonly name: string;
  readonly command: readonly string[];
  /** The running process is written down here, so that a later run finds it. */
  readonly pidFile: string;
  readonly logFile: string;
  /** `cgroup.procs` file of the cgroup to join before the program starts; default none. */
  readonly cgroupProcs?: string;
  /** Stands for everything that should make the program restart when it changes; kept in the pid file. */
  readonly fingerprint: string;
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Open a channel to the program (for the forwarder); default false. */
  readonly channel?: boolean;
}

/** A recorded process that still runs. */
export interface FoundProcess extends ProcessIdentity {
  readonly fingerprint: string;
}

/**
 * Writes the identity down and only then becomes the program, so a program that runs is always recorded, even when its
 * starter is killed at any moment. $1 pid file, $2 fingerprint, $3 cgroup.procs or '', then the command.
 */
const launcher = `
read -r stat < /proc/$$/stat; read -r boot < /proc/sys/kernel/random/boot_id
printf '%s\\n%s\\n%s\\n' "$boot" "$stat" "$2" > "$1.new" && mv "$1.new" "$1" || exit 1
[ -z "$3" ] || echo $$ > "$3" || exit 1
shift 3; exec "$@"`;

/** Starts the program in a session of its own, output appended to the log file. Does not wait until it serves. */
export function startProcess(spec: ProcessSpec): ChildProcess {
  mkdirSync(dirname(spec.pidFile), { recursive: true });
  mkdirSync(dirname(spec.logFile), { recursive: true });
  const log = openSync(spec.logFile, 'a');
  try {
    const child = spawn(
      '/bin/sh',
      ['-c', launcher, spec.name, spec.pidFile, spec.fingerprint, spec.cgroupProcs ?? '', ...spec.command],
      {
        detached: true,
        cwd: '/',
        env: spec.env,
        stdio: ['ignore', log, log, ...(spec.channel === true ? (['ipc'] as const) : [])],
      },
    );
    child.unref();
    return child;
  } finally {
    closeSync(log);
  }
}

/** The process that a pid file names, if that very process runs. */
export function findProcess(pidFile: string): FoundProcess | undefined {
  let content: string;
  try {
    content = readFileSync(pidFile, 'utf8');
  } catch {
    return undefined;
  }
  const [bootId = '', stat = '', fingerprint = ''] = content.split('\n');
  const { pid, startTime } = parseStat(stat);
  const found = { pid, startTime, bootId, fingerprint };
  return Number.isInteger(pid) && isRunning(found) ? found : undefined;
}

export interface StopOptions {
  /** Milliseconds between SIGTERM and SIGKILL; default 5,000. 0 kills at once. */
  readonly graceMs?: number;
}

/** Ends the process that the pid file names, if it runs, and removes the file. */
export async function stopProcess(pidFile: string, options: StopOptions, signal: AbortSignal): Promise<void> {
  const found = findProcess(pidFile);
  if (found !== undefined) {
    const gone = (): true | undefined => (isRunning(found) ? undefined : true);
    const what = `process ${found.pid} ends`;
    const { graceMs = 5000 } = options;
    send(found.pid, graceMs > 0 ? 'SIGTERM' : 'SIGKILL');
    await pollUntil(gone, { what, timeoutMs: graceMs, intervalMs: 20 }, signal).catch(() => {
      signal.throwIfAborted();
      send(found.pid, 'SIGKILL');
    });
    await pollUntil(gone, { what, timeoutMs: 10_000, intervalMs: 20 }, signal);
  }
  rmSync(pidFile, { force: true });
}

function send(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
