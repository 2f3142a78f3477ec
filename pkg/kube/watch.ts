import { isSuccess, refuse } from './answer.ts';
import type { WatchEvent, WatchOptions } from './client.ts';
import { errorFromEvent, errorFromFailure } from './error-gate.ts';
import { KubeError } from './errors.ts';
import { parseJson } from './json.ts';
import { linesOf } from './lines.ts';
import type { KubeObject } from './objects.ts';
import { resourcePath, withQuery } from './resource-path.ts';
import type { ResourceType } from './resource-types.ts';
import type { ApiAnswer, ApiRequest, Transport } from './transport.ts';

const eventTypes = new Set(['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK']);

/**
 * Watches, always with bookmarks. Ends when the server closes the stream in good order; leaving the loop closes it from
 * our side. Nothing is retried: where to go on from is the caller's to know.
 * **Errors** the KubeError of an ERROR event (410 → `EXPIRED`), of a refused request, of a line that is no event or was cut
 * (`UNAVAILABLE`); `ABORTED` at once when the signal fires.
 */
export async function* watchEvents<T extends KubeObject>(
  transport: Transport,
  { type, options }: { readonly type: ResourceType<T>; readonly options: WatchOptions },
  signal: AbortSignal,
): AsyncGenerator<WatchEvent<T>, void, undefined> {
  const request = watchRequest(type, options);
  const answer = await transport.send(request, signal);
  if (!isSuccess(answer)) await refuse(request, answer, signal);
  try {
    for await (const line of linesOf(answer.body as AsyncIterable<Buffer>)) {
      signal.throwIfAborted();
      yield readEvent<T>(request, line);
    }
  } catch (error) {
    throw errorFromFailure(request, error, signal);
  } finally {
    close(answer);
  }
}

function watchRequest(type: ResourceType, options: WatchOptions): ApiRequest {
  const { namespace, ...parameters } = options;
  const path = withQuery(resourcePath({ type, namespace }), {
    watch: true,
    allowWatchBookmarks: true,
    ...parameters,
    resourceVersionMatch: options.sendInitialEvents === undefined ? undefined : 'NotOlderThan',
  });
  const attempted = `WATCH ${type.plural}${namespace === undefined ? '' : ` in ${namespace}`}`;
  return { method: 'GET', path, attempted, idleTimeoutMs: 0 };
}

function readEvent<T extends KubeObject>(request: ApiRequest, line: string): WatchEvent<T> {
  const event = parseEvent(request, line);
  if (event.type === 'ERROR') throw errorFromEvent(request, event.object);
  if (eventTypes.has(event.type ?? '') && typeof event.object === 'object') return event as unknown as WatchEvent<T>;
  throw new KubeError(`${request.attempted}: the server sent an event that is none`, { code: 'UNAVAILABLE' });
}

function parseEvent(request: ApiRequest, line: string): { readonly type?: string; readonly object?: unknown } {
  try {
    return parseJson(line) ?? {};
  } catch {
    // The cause is left out: a SyntaxError quotes the text, and that may be a Secret.
    const said = `${request.attempted}: the server sent a line that is not JSON (${line.length} characters)`;
    throw new KubeError(said, { code: 'UNAVAILABLE' });
  }
}

function close({ body }: ApiAnswer): void {
  body.on('error', () => undefined).destroy();
}
