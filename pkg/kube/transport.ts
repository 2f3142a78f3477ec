import type { Dispatcher } from 'undici';
import type { ClusterConfig } from './cluster-config.ts';
import { createCredentials } from './credentials.ts';
import { connectionIdentity, openDispatcher } from './dispatcher.ts';
import { type Attempt, errorFromFailure, failureCode } from './error-gate.ts';

/** One HTTP request, ready to send. */
export interface ApiRequest extends Attempt {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path and query below the server's URL, escaped. */
  readonly path: string;
  readonly body?: string;
  readonly contentType?: string;
  /** Milliseconds to the answer's headers; default 30,000. */
  readonly timeoutMs?: number;
  /** Milliseconds between two pieces of the answer's body; default 30,000; 0 for no limit (watches). */
  readonly idleTimeoutMs?: number;
}

export interface ApiAnswer {
  readonly status: number;
  readonly headers: Dispatcher.ResponseData['headers'];
  /** Must be read to its end or destroyed. */
  readonly body: Dispatcher.ResponseData['body'];
}

/**
 * Sends requests to one API server over one connection pool. The pool is swapped when the TLS credentials change;
 * what runs on the old one goes on undisturbed.
 */
export interface Transport extends AsyncDisposable {
  readonly server: string;
  /**
   * Sends once; once more with reloaded credentials when these were refused (401, or a certificate not trusted).
   * **Errors** KubeError when no answer came; any status is an answer.
   */
  send(request: ApiRequest, signal: AbortSignal): Promise<ApiAnswer>;
}

interface Pool {
  readonly identity: string;
  readonly dispatcher: Dispatcher;
}

export function createTransport(config: ClusterConfig): Transport {
  const credentials = createCredentials(config);
  const retired = new Map<Dispatcher, Promise<void>>();
  let pool = openPool(config);

  const poolFor = (wanted: ClusterConfig): Pool => {
    if (pool.identity === connectionIdentity(wanted)) return pool;
    const { dispatcher } = pool;
    retired.set(
      dispatcher,
      dispatcher.close().finally(() => retired.delete(dispatcher)),
    );
    return (pool = openPool(wanted));
  };
  const sendAs = async (as: ClusterConfig, request: ApiRequest, signal: AbortSignal): Promise<ApiAnswer> => {
    const { statusCode, headers, body } = await poolFor(as).dispatcher.request(toDispatch(as, request, signal));
    return { status: statusCode, headers, body };
  };
  const send = async (request: ApiRequest, signal: AbortSignal): Promise<ApiAnswer> => {
    const used = credentials.current();
    let answer: ApiAnswer | undefined;
    try {
      answer = await sendAs(used, request, signal);
      if (answer.status !== 401) return answer;
    } catch (error) {
      if (!isUntrusted(error)) throw error;
      if (!(await credentials.renew(used))) throw error;
    }
    if (answer !== undefined && !(await credentials.renew(used))) return answer;
    answer?.body.on('error', () => undefined).destroy();
    return await sendAs(credentials.current(), request, signal);
  };
  return {
    get server() {
      return credentials.current().server;
    },
    async send(request, signal) {
      try {
        signal.throwIfAborted();
        return await send(request, signal);
      } catch (error) {
        throw errorFromFailure(request, error, signal);
      }
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([pool.dispatcher, ...retired.keys()].map(async (dispatcher) => await dispatcher.destroy()));
    },
  };
}

function openPool(config: ClusterConfig): Pool {
  return { identity: connectionIdentity(config), dispatcher: openDispatcher(config) };
}

function toDispatch(config: ClusterConfig, request: ApiRequest, signal: AbortSignal): Dispatcher.RequestOptions {
  const { origin, pathname } = new URL(config.server);
  return {
    origin,
    path: `${pathname.replace(/\/+$/, '')}${request.path}`,
    method: request.method,
    headers: headersOf(config, request),
    headersTimeout: request.timeoutMs ?? 30_000,
    bodyTimeout: request.idleTimeoutMs ?? 30_000,
    signal,
    ...(request.body === undefined ? {} : { body: request.body }),
  };
}

function headersOf(config: ClusterConfig, { contentType }: ApiRequest): Record<string, string> {
  return {
    accept: 'application/json',
    'user-agent': 'capn',
    ...(contentType === undefined ? {} : { 'content-type': contentType }),
    ...(config.token === undefined ? {} : { authorization: `Bearer ${config.token}` }),
    ...(config.impersonateUser === undefined ? {} : { 'impersonate-user': config.impersonateUser }),
  };
}

/** Whether the server's certificate was not accepted, which a rotated CA explains. */
function isUntrusted(error: unknown): boolean {
  return /CERT|UNABLE_TO_|SELF_SIGNED|HOSTNAME_MISMATCH|INVALID_CA/.test(failureCode(error));
}
