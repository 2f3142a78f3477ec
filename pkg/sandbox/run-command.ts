import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

export interface CommandOptions {
  /** Written to the command's standard input, which is empty otherwise. */
  readonly input?: string;
  /** Added to this process's environment. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/**
 * Runs a command to its end and returns its standard output.
 *
 * **Errors** when it cannot be started or ends with another status than 0: the message holds the command and the last
 * lines that it printed. An aborted `signal` ends the command (SIGINT, so that it can clean up) and rejects.
 */
export async function runCommand(
  command: readonly [string, ...string[]],
  options: CommandOptions,
  signal: AbortSignal,
): Promise<string> {
  signal.throwIfAborted();
  const [program, ...args] = command;
  const child = spawn(program, args, {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, ...options.env },
    cwd: options.cwd,
    signal,
    killSignal: 'SIGINT',
  });
  const ended = new Promise<string | undefined>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, killedBy) =>
      resolve(code === 0 ? undefined : `status ${code ?? killedBy ?? 'unknown'}`),
    );
  });
  child.stdin.on('error', () => undefined).end(options.input ?? '');
  const [failure, stdout, stderr] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  if (failure === undefined) return stdout;
  const printed = `${stderr}\n${stdout}`.trim().split('\n').slice(0, 400).slice(-12).join('\n');
  throw new Error(`${command.slice(0, 6).join(' ')} failed with ${failure}: ${printed}`);
}
