import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { NestedControlPlane } from '#apis';
import { uidOf } from '#kube';
import { CliError } from '../cli-error.ts';
import { connectionFile, connectionsFolder, readRecord } from './connection-record.ts';
import { isAlive } from './process-identity.ts';

export interface ForwarderRequest {
  readonly controlPlane: NestedControlPlane;
  /** Flags that lead the background process to the same super cluster. */
  readonly superFlags: readonly string[];
}

const startMs = 15_000;

/**
 * Makes sure that a background process forwards a port of 127.0.0.1 to the tenant, and returns the port. One that runs
 * is used again.
 * **Errors** `unreachable`, with what the process said, when it does not come up within 15 s.
 */
export async function ensureForwarder(request: ForwarderRequest, signal: AbortSignal): Promise<number> {
  const uid = uidOf(request.controlPlane);
  const running = await runningPort(uid);
  if (running !== undefined) return running;
  const child = startForwarder(request);
  const deadline = performance.now() + startMs;
  while (performance.now() < deadline) {
    const port = await runningPort(uid);
    if (port !== undefined) return port;
    if (child.exitCode !== null || child.signalCode !== null) break;
    await sleep(50, undefined, { signal });
  }
  return (await runningPort(uid)) ?? (await failed(uid));
}

async function runningPort(uid: string): Promise<number | undefined> {
  const record = await readRecord(uid);
  return record?.process !== undefined && isAlive(record.process) ? record.port : undefined;
}

function startForwarder({ controlPlane, superFlags }: ForwarderRequest): ChildProcess {
  const { namespace = '', name = '' } = controlPlane.metadata;
  mkdirSync(connectionsFolder(), { recursive: true, mode: 0o700 });
  const log = openSync(connectionFile(uidOf(controlPlane), 'log'), 'w', 0o600);
  try {
    const args = [programFile(), 'forward', name, '--namespace', namespace, ...superFlags];
    const child = spawn(process.execPath, args, { detached: true, stdio: ['ignore', log, log] });
    child.on('error', () => undefined);
    child.unref();
    return child;
  } finally {
    closeSync(log);
  }
}

/** The file that Node runs: the bundle itself, or main.ts in the sources (whoever calls us: capn, the demo, a test). */
function programFile(): string {
  const here = fileURLToPath(import.meta.url);
  return here.endsWith('.mjs') ? here : fileURLToPath(new URL('../main.ts', import.meta.url));
}

async function failed(uid: string): Promise<never> {
  const file = connectionFile(uid, 'log');
  const said = (await readFile(file, 'utf8').catch(() => '')).trim().split('\n').slice(-3).join('; ');
  throw new CliError(
    'unreachable',
    `the background port-forward did not start: ${said === '' ? 'it said nothing' : said}`,
    `its log is ${file}; capn connect NAME does the same in the foreground`,
  );
}
