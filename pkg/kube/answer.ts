import { errorFromAnswer, errorFromFailure } from './error-gate.ts';
import { KubeError } from './errors.ts';
import { parseJson } from './json.ts';
import { withRetries } from './retry.ts';
import type { ApiAnswer, ApiRequest, Transport } from './transport.ts';

/** A list page of the largest objects stays below; a server gone mad does not fill our memory. */
const longestBody = 256 * 1024 * 1024;

/** Sends the request, with retries, and parses the answer's JSON. **Errors** KubeError for all but 2xx. */
export async function requestJson(transport: Transport, request: ApiRequest, signal: AbortSignal): Promise<unknown> {
  const isIdempotent = request.method !== 'POST';
  const attempt = async (): Promise<unknown> => parse(request, await requestText(transport, request, signal));
  return await withRetries({ ...request, isIdempotent }, attempt, signal);
}

/** A text that is not whole is one more broken connection: undici takes a reset after `connection: close` for the end. */
function parse({ attempted }: ApiRequest, text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    // The cause is left out: a SyntaxError quotes the text, and that may be a Secret.
    const said = `${attempted}: the answer is not JSON (${text.length} characters)`;
    throw new KubeError(said, { code: 'UNAVAILABLE' });
  }
}

/** Reads an answer to its end. **Errors** KubeError when the connection breaks meanwhile. */
export async function readText(request: ApiRequest, { body }: ApiAnswer, signal: AbortSignal): Promise<string> {
  const pieces: Buffer[] = [];
  let length = 0;
  try {
    for await (const piece of body as AsyncIterable<Buffer>) {
      length += pieces.push(piece) && piece.length;
      if (length > longestBody) throw new Error(`the answer is longer than ${longestBody} bytes`);
    }
  } catch (error) {
    throw errorFromFailure(request, error, signal);
  }
  return Buffer.concat(pieces, length).toString('utf8');
}

/** Turns an answer that is not 2xx into a thrown KubeError. */
export async function refuse(request: ApiRequest, answer: ApiAnswer, signal: AbortSignal): Promise<never> {
  const retryAfter = answer.headers['retry-after'];
  throw errorFromAnswer(request, {
    status: answer.status,
    body: await readText(request, answer, signal),
    retryAfter: Array.isArray(retryAfter) ? retryAfter[0] : retryAfter,
  });
}

async function requestText(transport: Transport, request: ApiRequest, signal: AbortSignal): Promise<string> {
  const answer = await transport.send(request, signal);
  if (!isSuccess(answer)) return await refuse(request, answer, signal);
  return await readText(request, answer, signal);
}

/** Whether the status is 2xx. */
export function isSuccess({ status }: ApiAnswer): boolean {
  return status >= 200 && status < 300;
}
