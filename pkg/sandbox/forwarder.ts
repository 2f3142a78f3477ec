import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { addresses } from './addresses.ts';
import { startProcess, type ProcessSpec } from './managed-process.ts';

/**
 * Why a small Node program and not socat: a socket belongs for life to the network namespace it was made in. So `up`
 * makes the listening socket on the host and hands it to one process inside the sandbox, which dials the API server
 * there. One hop and one event loop for any number of long-lived HTTP/2 connections, where socat would need a Unix
 * socket between two halves and two processes a connection.
 */
export const forwarderCommand = [
  process.execPath,
  join(import.meta.dirname, 'forwarder-main.ts'),
  `127.0.0.1:${addresses.apiServerPort}`,
] as const;

/**
 * Listens on 127.0.0.1:`port` of the host; 0 lets the kernel choose a free one.
 *
 * **Errors** `EADDRINUSE` (as `code`) when the port is taken.
 */
export async function listenOnHost(port: number): Promise<{ readonly server: Server; readonly port: number }> {
  // Whoever connects before the handover is told to try again rather than left waiting.
  const server = createServer((socket) => socket.on('error', () => undefined).destroy());
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the listening socket has no port');
  return { server, port: address.port };
}

/** Starts the forwarder with the listening socket, and returns once it serves. The socket is the forwarder's then. */
export async function startForwarder(spec: ProcessSpec, server: Server, signal: AbortSignal): Promise<void> {
  const child = startProcess({ ...spec, channel: true });
  try {
    const answer = once(child, 'message', { signal: AbortSignal.any([signal, AbortSignal.timeout(15_000)]) });
    const ended = once(child, 'exit', { signal }).then(() => {
      throw new Error(`the forwarder ended at once; see ${spec.logFile}`);
    });
    child.send('listen', server);
    await Promise.race([answer, ended]);
  } finally {
    server.close();
    if (child.connected) child.disconnect();
  }
}
