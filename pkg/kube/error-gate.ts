import { type ErrorCode, KubeError, type KubeErrorDetails } from './errors.ts';

/** What was tried, as a message begins with it (`PUT secrets default/db`), and whether its answer may quote secrets. */
export interface Attempt {
  readonly attempted: string;
  /** The object holds secrets: what the server says about a refused one is left out of messages; default false. */
  readonly secret?: boolean;
}

/** An answer that is not 2xx, read to its end. */
export interface RefusedAnswer {
  readonly status: number;
  readonly body: string;
  readonly retryAfter?: string | undefined;
}

/** The parts of a metav1.Status that are read, checked: the server may be a tenant's, or no Kubernetes at all. */
interface Status {
  readonly message?: string | undefined;
  readonly reason?: string | undefined;
  readonly causes: readonly { readonly field?: string; readonly message?: string; readonly reason?: string }[];
  readonly retryAfterSeconds?: unknown;
}

const codeByStatus: Readonly<Record<number, ErrorCode>> = {
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  408: 'TIMEOUT',
  409: 'CONFLICT',
  410: 'EXPIRED',
  429: 'THROTTLED',
  504: 'TIMEOUT',
};

/** Makes the KubeError of an answer: our words for what was tried, the server's message cut to 1 kB, never our body. */
export function errorFromAnswer(attempt: Attempt, answer: RefusedAnswer): KubeError {
  const status = readStatus(answer.body);
  const code = codeOf(answer.status, status);
  const isWithheld = attempt.secret === true && code === 'INVALID';
  const said = isWithheld ? 'refused (details withheld, they may quote a secret)' : (status?.message ?? answer.body);
  return new KubeError(`${attempt.attempted}: ${answer.status} ${shorten(said)}`, {
    code,
    status: answer.status,
    ...detailsOf(status, isWithheld),
    ...retryAfterOf(answer.retryAfter, status),
  });
}

/** Makes the KubeError of an ERROR event within a watch: its object is a Status. */
export function errorFromEvent(attempt: Attempt, object: unknown): KubeError {
  const { code = 500 } = (object ?? {}) as { readonly code?: number };
  return errorFromAnswer(attempt, { status: code, body: JSON.stringify(object ?? null) });
}

/** Makes the KubeError of a request that got no (whole) answer. A KubeError passes unchanged. */
export function errorFromFailure({ attempted }: Attempt, failure: unknown, signal: AbortSignal): KubeError {
  if (signal.aborted) return new KubeError(`${attempted}: given up`, { code: 'ABORTED', cause: signal.reason });
  if (failure instanceof KubeError) return failure;
  const word = failureCode(failure);
  const said = failure instanceof Error ? failure.message : String(failure);
  const text = `${attempted}: ${shorten(said === '' ? word : said)}`;
  return new KubeError(text, { code: codeOfFailure(word), cause: failure });
}

/** The system's or undici's word for a failure (`ECONNREFUSED`), wherever it is nested; empty if there is none. */
export function failureCode(failure: unknown): string {
  if (!(failure instanceof Error)) return '';
  const { code } = failure as NodeJS.ErrnoException;
  if (typeof code === 'string' && code !== '') return code;
  const inner = failure instanceof AggregateError ? (failure.errors as unknown[])[0] : failure.cause;
  return failureCode(inner);
}

function codeOf(httpStatus: number, status: Status | undefined): ErrorCode {
  if (status?.reason === 'AlreadyExists') return 'ALREADY_EXISTS';
  // A patch or PUT that carries the UID of an object since replaced by a namesake is refused as a change of the UID.
  const isOtherUid = status?.causes.some(({ field }) => field === 'metadata.uid') === true;
  if (httpStatus === 422 && isOtherUid) return 'CONFLICT';
  // Server-side apply answers 500 to a field that the schema does not know (kubernetes/kubernetes#122480).
  if (httpStatus === 500 && status?.message?.includes('typed patch object') === true) return 'INVALID';
  return codeByStatus[httpStatus] ?? (httpStatus >= 400 && httpStatus < 500 ? 'INVALID' : 'UNAVAILABLE');
}

function codeOfFailure(word: string): ErrorCode {
  if (word === 'UND_ERR_HEADERS_TIMEOUT' || word === 'UND_ERR_BODY_TIMEOUT') return 'TIMEOUT';
  return word === 'UND_ERR_DESTROYED' || word === 'UND_ERR_CLOSED' ? 'ABORTED' : 'UNAVAILABLE';
}

function readStatus(body: string): Status | undefined {
  const { kind, message, reason, details } = parseMap(body);
  if (kind !== 'Status') return undefined;
  const { causes, retryAfterSeconds } = (details ?? {}) as { causes?: unknown; retryAfterSeconds?: unknown };
  return {
    message: textOf(message),
    reason: textOf(reason),
    causes: Array.isArray(causes) ? causes.map(causeOf) : [],
    retryAfterSeconds,
  };
}

function parseMap(body: string): { readonly [field: string]: unknown } {
  try {
    return body.startsWith('{') ? (JSON.parse(body) as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function causeOf(cause: unknown): Status['causes'][number] {
  const { field, reason, message } = (cause ?? {}) as Record<string, unknown>;
  const texts = { field: textOf(field), reason: textOf(reason), message: textOf(message) };
  return Object.fromEntries(
    Object.entries(texts).flatMap(([name, text]) => (text === undefined ? [] : [[name, shorten(text)]])),
  );
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function detailsOf(status: Status | undefined, isWithheld: boolean): Pick<KubeErrorDetails, 'reason' | 'causes'> {
  const causes = (status?.causes ?? []).map(({ message, ...cause }) =>
    message === undefined || isWithheld ? cause : { ...cause, message },
  );
  return { ...(status?.reason === undefined ? {} : { reason: status.reason }), causes };
}

function retryAfterOf(header: string | undefined, status: Status | undefined): { retryAfterSeconds?: number } {
  const seconds = Number(header ?? status?.retryAfterSeconds);
  return Number.isFinite(seconds) && seconds > 0 ? { retryAfterSeconds: seconds } : {};
}

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length <= 1024 ? line : `${line.slice(0, 1023)}…`;
}
