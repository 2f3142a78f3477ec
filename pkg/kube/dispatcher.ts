import { Agent, type Dispatcher, ProxyAgent } from 'undici';
import type { ClusterConfig } from './cluster-config.ts';

/** Sockets to one server at most. HTTP/2 carries 100 requests on each; the cap is for proxies that refuse it. */
const maxConnections = 100;

/**
 * Opens the connection pool of one cluster under one TLS identity: HTTP/2 where the server speaks it, connect timeout
 * 10 s, 30 s to an answer's headers, TCP keep-alive.
 */
export function openDispatcher(config: ClusterConfig): Dispatcher {
  const tls = tlsOptions(config);
  const options = {
    allowH2: true,
    connections: maxConnections,
    headersTimeout: 30_000,
    keepAliveTimeout: 30_000,
    // A dead HTTP/2 session is noticed after two unanswered pings; every watch shares it.
    h2Options: { pingInterval: 30_000 },
  };
  if (config.proxyUrl !== undefined) return new ProxyAgent({ ...options, uri: config.proxyUrl, requestTls: tls });
  const connect = { ...tls, timeout: 10_000, keepAlive: true, keepAliveInitialDelay: 15_000 };
  return new Agent({ ...options, connect });
}

/** What a TLS handshake with the cluster needs, in Node's words. */
export function tlsOptions(config: ClusterConfig): {
  ca?: string;
  cert?: string;
  key?: string;
  servername?: string;
  rejectUnauthorized: boolean;
} {
  return {
    ...(config.caData === undefined ? {} : { ca: config.caData }),
    ...(config.certData === undefined ? {} : { cert: config.certData }),
    ...(config.keyData === undefined ? {} : { key: config.keyData }),
    ...(config.tlsServerName === undefined ? {} : { servername: config.tlsServerName }),
    rejectUnauthorized: config.skipTlsVerify !== true,
  };
}

/** Text that changes exactly when a new pool is needed: where we connect to and as whom TLS knows us. */
export function connectionIdentity({ server, proxyUrl, ...config }: ClusterConfig): string {
  return JSON.stringify([server, proxyUrl, tlsOptions({ server, ...config })]);
}
