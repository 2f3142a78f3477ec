/**
 * The forwarder's program: takes connections from the host and passes them to an address inside the sandbox's network
 * namespace. It is started inside that namespace and is handed a socket that already listens on the host; see
 * `forwarder.ts`. Argument: the target as `address:port`.
 */
import { connect, Server, type Socket } from 'node:net';

const [address = '', port = ''] = (process.argv[2] ?? '').split(':');

process.once('message', (_message: unknown, server: unknown) => {
  if (!(server instanceof Server)) throw new Error('no listening socket was handed over');
  server.on('connection', forward);
  process.send?.('serving', () => process.disconnect());
});

function forward(fromHost: Socket): void {
  const inside = connect({ host: address, port: Number(port), noDelay: true });
  fromHost.setNoDelay(true);
  couple(fromHost, inside);
  couple(inside, fromHost);
}

/** Passes bytes on with back-pressure; when one side breaks, the other is broken too, so that nobody waits for it. */
function couple(from: Socket, to: Socket): void {
  from.pipe(to);
  from.on('error', () => to.destroy());
  from.on('close', () => (from.readableEnded ? undefined : to.destroy()));
}
