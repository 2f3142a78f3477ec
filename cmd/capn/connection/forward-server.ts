import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';

export interface ForwardOptions {
  /** Port on 127.0.0.1; 0 for a free one. */
  readonly port: number;
  /** Opens a stream to the tenant's API server: called for each connection, so that it finds the pod that is ready now. */
  readonly open: (signal: AbortSignal) => Promise<Duplex>;
  /** Told when a connection cannot be opened, or breaks. */
  readonly onError: (error: unknown) => void;
}

/** A listener on 127.0.0.1 that carries TCP connections to a tenant's API server. */
export interface ForwardServer extends AsyncDisposable {
  readonly port: number;
  /** Milliseconds since the last connection ended; 0 while there is one. */
  idleMs(): number;
}

/**
 * Starts listening. Disposing it cuts the connections.
 * **Errors** the system's (`EADDRINUSE`) when the port is taken.
 */
export async function startForwardServer(options: ForwardOptions, signal: AbortSignal): Promise<ForwardServer> {
  const stop = new AbortController();
  const until = AbortSignal.any([signal, stop.signal]);
  const sockets = new Set<Socket>();
  let idleSince = performance.now();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      sockets.delete(socket);
      idleSince = performance.now();
    });
    void carry(socket, options, until);
  });
  const port = await listen(server, options.port);
  return {
    port,
    idleMs: () => (sockets.size > 0 ? 0 : performance.now() - idleSince),
    [Symbol.asyncDispose]: async () => {
      stop.abort();
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

async function listen(server: Server, port: number): Promise<number> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** Copies both ways until one side ends; then both end, for the protocol below knows no half-close. */
async function carry(socket: Socket, { open, onError }: ForwardOptions, signal: AbortSignal): Promise<void> {
  try {
    const tenant = await open(signal);
    const up = pipeline(socket, tenant, { signal, end: false });
    const down = pipeline(tenant, socket, { signal });
    await Promise.race([up, down]).finally(() => tenant.destroy());
    await Promise.allSettled([up, down]);
  } catch (error) {
    if (!signal.aborted && !isHangUp(error)) onError(error);
  } finally {
    socket.destroy();
  }
}

/** Clients go when they like; that is no error. */
function isHangUp(error: unknown): boolean {
  const { code = '' } = error as NodeJS.ErrnoException;
  return ['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE', 'ABORT_ERR'].includes(code);
}
