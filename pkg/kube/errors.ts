/**
 * What went wrong with a request, as a stable word. `retry` says what a work queue should do with it:
 * `soon` (a lost race), `backOff` (the other side is unwell), `onChange` (asking again cannot help until something
 * changes), `silent` (we are shutting down).
 */
export const errorCodes = {
  ALREADY_EXISTS: { retry: 'soon', meaning: 'an object of that name is there already' },
  CONFLICT: { retry: 'soon', meaning: 'the object changed meanwhile, or is another one of the same name' },
  EXPIRED: { retry: 'soon', meaning: 'the resourceVersion or the list page is too old: list again' },
  UNAVAILABLE: { retry: 'backOff', meaning: 'the API server cannot be reached, or answered 5xx' },
  THROTTLED: { retry: 'backOff', meaning: 'the API server asked us to slow down (429)' },
  TIMEOUT: { retry: 'backOff', meaning: 'no answer in time' },
  UNAUTHORIZED: { retry: 'backOff', meaning: 'our credentials were refused; they may be renewed meanwhile' },
  NOT_OURS: { retry: 'onChange', meaning: 'the object belongs to somebody else, so it was left alone' },
  NOT_FOUND: { retry: 'onChange', meaning: 'the object or the resource is not there' },
  INVALID: {
    retry: 'onChange',
    meaning: 'the API server refused the object (400, 413, 422; 500 for a field that apply does not know)',
  },
  FORBIDDEN: { retry: 'onChange', meaning: 'our rights do not suffice (403)' },
  ABORTED: { retry: 'silent', meaning: 'we are shutting down' },
} as const satisfies Record<string, { retry: 'soon' | 'backOff' | 'onChange' | 'silent'; meaning: string }>;

export type ErrorCode = keyof typeof errorCodes;

export interface KubeErrorDetails {
  readonly code: ErrorCode;
  /** HTTP status, when an answer came. */
  readonly status?: number;
  /** Seconds the server asked us to wait (Retry-After). */
  readonly retryAfterSeconds?: number;
  /** `reason` and `details.causes` of the server's Status object. */
  readonly reason?: string;
  readonly causes?: readonly { readonly field?: string; readonly message?: string; readonly reason?: string }[];
  readonly cause?: unknown;
}

/** Every failed request ends as one of these. The message is for people; branch on `code`. It never holds a body. */
export class KubeError extends Error {
  readonly code: ErrorCode;
  readonly status: number | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly reason: string | undefined;
  readonly causes: NonNullable<KubeErrorDetails['causes']>;

  constructor(message: string, details: KubeErrorDetails) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'KubeError';
    this.code = details.code;
    this.status = details.status;
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.reason = details.reason;
    this.causes = details.causes ?? [];
  }

  get retry(): (typeof errorCodes)[ErrorCode]['retry'] {
    return errorCodes[this.code].retry;
  }
}

/** Whether `error` is a KubeError, with one of `codes` if any are given. */
export function isKubeError(error: unknown, ...codes: readonly ErrorCode[]): error is KubeError {
  return error instanceof KubeError && (codes.length === 0 || codes.includes(error.code));
}
