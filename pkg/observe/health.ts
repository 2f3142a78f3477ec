import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Metrics } from './metrics.ts';

/** Whether something is well; if not, a sentence that says what is wrong. */
export type CheckResult = { readonly ok: true } | { readonly ok: false; readonly message: string };

export interface HealthServerOptions {
  /** 0 takes a free port. */
  readonly port: number;
  /** Address to listen on; default all. */
  readonly host?: string;
  /** `/livez`, `/healthz`: false asks for a restart of the process. */
  readonly livez: () => CheckResult;
  /** `/readyz`: whether it does its work now. */
  readonly readyz: () => CheckResult;
  readonly metrics: Metrics;
}

export interface HealthServer extends AsyncDisposable {
  /** The port it listens on. */
  readonly port: number;
}

interface Answer {
  readonly status: number;
  readonly body: string;
  readonly contentType?: string;
}

/**
 * Serves `/livez`, `/healthz`, `/readyz` (200 `ok`, or 503 and what is wrong) and `/metrics` over plain HTTP.
 *
 * **Guarantees** closes on dispose or when `signal` aborts, cutting open connections.
 * **Errors** rejects when the port cannot be had.
 */
export async function startHealthServer(options: HealthServerOptions, signal: AbortSignal): Promise<HealthServer> {
  const server = createServer((request, response) => {
    void answer(options, request.url ?? '/').then((found) => send(response, found));
  });
  server.listen(options.port, options.host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = async (): Promise<void> => await closeServer(server);
  signal.addEventListener('abort', () => void close(), { once: true });
  if (signal.aborted) await close();
  return { port, [Symbol.asyncDispose]: close };
}

async function answer(options: HealthServerOptions, url: string): Promise<Answer> {
  try {
    switch (url.split('?', 1)[0] ?? '') {
      case '/livez':
      case '/healthz':
        return checkAnswer(options.livez());
      case '/readyz':
        return checkAnswer(options.readyz());
      case '/metrics':
        return { status: 200, body: await options.metrics.text(), contentType: options.metrics.contentType };
      default:
        return { status: 404, body: 'there are /livez, /healthz, /readyz and /metrics\n' };
    }
  } catch {
    return { status: 500, body: 'the check itself failed\n' };
  }
}

function checkAnswer(result: CheckResult): Answer {
  return result.ok ? { status: 200, body: 'ok\n' } : { status: 503, body: `${result.message}\n` };
}

function send(response: ServerResponse, { status, body, contentType = 'text/plain; charset=utf-8' }: Answer): void {
  response.writeHead(status, { 'content-type': contentType }).end(body);
}

async function closeServer(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
