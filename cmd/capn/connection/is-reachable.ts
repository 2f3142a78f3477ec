import { once } from 'node:events';
import { isIP } from 'node:net';
import { connect } from 'node:tls';
import { serverNameOf, type ClusterEntry } from './tenant-kubeconfig.ts';

const dialMs = 1500;

/**
 * Whether the server of a kubeconfig entry answers from here with the certificate that the entry expects: a TLS
 * handshake, at most 1.5 s.
 */
export async function isReachable(cluster: ClusterEntry, signal: AbortSignal): Promise<boolean> {
  const { hostname, port } = new URL(cluster.server);
  const serverName = serverNameOf(cluster);
  const ca = cluster['certificate-authority-data'];
  const socket = connect({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? 443 : Number(port),
    // SNI has no room for addresses (RFC 6066, section 3); the certificate is checked against the address all the same.
    ...(isIP(serverName) === 0 ? { servername: serverName } : {}),
    ...(ca === undefined ? {} : { ca: Buffer.from(ca, 'base64').toString() }),
  });
  try {
    await once(socket, 'secureConnect', { signal: AbortSignal.any([signal, AbortSignal.timeout(dialMs)]) });
    return true;
  } catch {
    signal.throwIfAborted();
    return false;
  } finally {
    socket.on('error', () => undefined).destroy();
  }
}
