import { setTimeout as sleep } from 'node:timers/promises';
import { type Attempt, errorFromFailure, failureCode } from './error-gate.ts';
import { KubeError } from './errors.ts';

const attempts = 5;
const firstDelayMs = 250;
/** A server that asks for a longer pause gets it from the caller's queue instead. */
const longestRetryAfterSeconds = 15;

/** Failures before a connection stood: the server cannot have seen the request. */
const neverConnected = new Set([
  'ECONNREFUSED',
  'EAI_AGAIN',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/**
 * Runs `attempt` up to five times, over about four seconds, while its failures are worth another try: 429, 502, 503, 504
 * or a broken connection; with jitter, and not before Retry-After (up to 15 s; else the failure is reported at once).
 * What is not idempotent is tried again only if the server surely did not act: 429, or no connection was made.
 * **Errors** the last failure; `ABORTED` at once when the signal fires during a pause.
 */
export async function withRetries<T>(
  request: Attempt & { readonly isIdempotent: boolean },
  attempt: () => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  for (let count = 1; ; count++) {
    try {
      return await attempt();
    } catch (error) {
      const pauseMs = count < attempts ? pauseBefore(error, count, request.isIdempotent) : undefined;
      if (pauseMs === undefined) throw error;
      await sleep(pauseMs, undefined, { signal }).catch((reason: unknown) => {
        throw errorFromFailure(request, reason, signal);
      });
    }
  }
}

function pauseBefore(error: unknown, count: number, isIdempotent: boolean): number | undefined {
  if (!(error instanceof KubeError) || !(isIdempotent ? isTransient(error) : wasNotSeen(error))) return undefined;
  const askedMs = (error.retryAfterSeconds ?? 0) * 1000;
  if (askedMs > longestRetryAfterSeconds * 1000) return undefined;
  const ownMs = firstDelayMs * 2 ** (count - 1) * (0.5 + Math.random() / 2);
  return askedMs === 0 ? ownMs : askedMs + Math.random() * firstDelayMs;
}

function isTransient(error: KubeError): boolean {
  if (error.status !== undefined) return [429, 502, 503, 504].includes(error.status);
  return error.code === 'UNAVAILABLE' && !/CERT|TLS|SSL|UNABLE_TO/.test(failureCode(error.cause));
}

function wasNotSeen(error: KubeError): boolean {
  return error.status === 429 || neverConnected.has(failureCode(error.cause));
}
