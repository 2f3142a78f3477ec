import { createHash, randomBytes } from 'node:crypto';
import { request as httpsRequest } from 'node:https';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ClusterConfig } from './cluster-config.ts';
import { tlsOptions } from './dispatcher.ts';
import { errorFromAnswer, errorFromFailure } from './error-gate.ts';
import { KubeError } from './errors.ts';

export interface WebSocketRequest {
  readonly config: ClusterConfig;
  /** Path and query, escaped. */
  readonly path: string;
  /** Subprotocol to speak. */
  readonly protocol: string;
  /** What is tried, for messages. */
  readonly attempted: string;
}

/**
 * Opens a WebSocket (RFC 6455) to an API server and hands over the raw connection after the upgrade; frames are
 * `web-socket-frames.ts`. client-node's own reads without back-pressure and hides why a server refused.
 * **Errors** KubeError: the server's refusal, or no connection; `ABORTED` when the signal fires before the upgrade.
 */
export async function openWebSocket(request: WebSocketRequest, signal: AbortSignal): Promise<Duplex> {
  const { config, attempted } = request;
  if (config.proxyUrl !== undefined) {
    throw new KubeError(`${attempted}: not possible through an HTTP proxy yet`, { code: 'INVALID' });
  }
  try {
    return await upgrade(request, signal);
  } catch (error) {
    throw errorFromFailure({ attempted }, error, signal);
  }
}

async function upgrade({ config, path, protocol, attempted }: WebSocketRequest, signal: AbortSignal): Promise<Duplex> {
  const key = randomBytes(16).toString('base64');
  const headers = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': key,
    'sec-websocket-protocol': protocol,
    ...(config.token === undefined ? {} : { authorization: `Bearer ${config.token}` }),
    ...(config.impersonateUser === undefined ? {} : { 'impersonate-user': config.impersonateUser }),
  };
  const url = `${config.server.replace(/\/+$/, '')}${path}`;
  const { promise, resolve, reject } = Promise.withResolvers<Duplex>();
  const asked = httpsRequest(url, { ...tlsOptions(config), agent: false, headers, signal, timeout: 30_000 });
  asked.on('error', reject);
  asked.on('timeout', () => asked.destroy(new Error('no answer within 30 s')));
  asked.on('response', (answer) => void readRefusal(answer, attempted).then(reject, reject));
  asked.on('upgrade', (answer, socket, head) => {
    socket.setTimeout(0);
    const accepted = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
    if (answer.headers['sec-websocket-accept'] !== accepted) {
      socket.destroy();
      return reject(new Error('the server does not speak WebSocket'));
    }
    if (head.length > 0) socket.unshift(head);
    resolve(socket);
  });
  asked.end();
  return await promise;
}

async function readRefusal(answer: IncomingMessage, attempted: string): Promise<KubeError> {
  const pieces: Buffer[] = [];
  for await (const piece of answer as AsyncIterable<Buffer>) pieces.push(piece);
  const body = Buffer.concat(pieces).toString('utf8');
  return errorFromAnswer({ attempted }, { status: answer.statusCode ?? 500, body });
}
