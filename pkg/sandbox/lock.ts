import { createHash } from 'node:crypto';
import { createServer, connect } from 'node:net';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

export interface LockOptions {
  /** Called once, with the holder's process id, when the lock is taken and has to be waited for. */
  readonly onWait?: (holder: string) => void;
}

/**
 * Takes the machine-wide lock named `name`, waiting as long as another process has it. Disposing gives it back.
 *
 * The lock is a listening socket in Linux's abstract namespace: taking it is atomic, the kernel gives it back when the
 * holder dies in whatever way, and there is no file that could be stale or left behind. Who connects is told the
 * holder's process id.
 */
export async function acquireLock(name: string, options: LockOptions, signal: AbortSignal): Promise<AsyncDisposable> {
  const path = `\0capn-${createHash('sha256').update(name).digest('hex').slice(0, 32)}`;
  for (let told = false; ; told = true) {
    signal.throwIfAborted();
    const held = await tryListen(path);
    if (held !== undefined) return held;
    if (!told) options.onWait?.(await askHolder(path));
    await sleep(200, undefined, { signal });
  }
}

async function tryListen(path: string): Promise<AsyncDisposable | undefined> {
  const server = createServer((socket) => socket.on('error', () => undefined).end(String(process.pid)));
  try {
    server.listen(path);
    await once(server, 'listening');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return undefined;
    throw error;
  }
  server.unref();
  return {
    async [Symbol.asyncDispose]() {
      server.close();
      await once(server, 'close');
    },
  };
}

async function askHolder(path: string): Promise<string> {
  const socket = connect(path);
  try {
    return await text(socket);
  } catch {
    return 'unknown';
  } finally {
    socket.destroy();
  }
}
