import { readText, requestJson } from './answer.ts';
import type { ApplyOptions, DeleteOptions, KubeClient, PatchOptions, RawRequest } from './client.ts';
import type { ClusterConfig } from './cluster-config.ts';
import { isKubeError } from './errors.ts';
import { listObjects } from './list.ts';
import { formatKey, type KubeObject, keyOf, type ObjectKey } from './objects.ts';
import { objectPath, requireNamespace, resourcePath, withQuery } from './resource-path.ts';
import type { ResourceType } from './resource-types.ts';
import { type ApiRequest, createTransport, type Transport } from './transport.ts';
import { watchEvents } from './watch.ts';

const json = 'application/json';

/**
 * Opens a client to one API server. No request is made before the first call. Dispose it to close its connections;
 * what still runs then ends as `ABORTED`.
 *
 * Credentials that change (`config.reload`) are picked up without a restart.
 */
export function createKubeClient(config: ClusterConfig): KubeClient {
  const transport = createTransport(config);
  const ask = async <T>(request: ApiRequest, signal: AbortSignal): Promise<T> =>
    (await requestJson(transport, request, signal)) as T;
  return {
    get server() {
      return transport.server;
    },
    get: async (type, key, signal) => await undefinedIfNotFound(ask(getRequest(type, key), signal)),
    list: async (type, options, signal) => await listObjects(transport, { type, options }, signal),
    create: async (type, object, signal) => await ask(createRequest(type, object), signal),
    replace: async (type, object, signal) => await ask(replaceRequest(type, object), signal),
    apply: async (type, object, options, signal) => await ask(applyRequest(type, object, options), signal),
    mergePatch: async ({ type, key }, patch, options, signal) =>
      await ask(patchRequest({ type, key }, patch, options), signal),
    delete: async (type, key, options, signal) => {
      const answer = await undefinedIfNotFound(ask<object>(deleteRequest(type, key, options), signal));
      return answer === undefined ? 'gone' : 'accepted';
    },
    watch: (type, options, signal) => watchEvents(transport, { type, options }, signal),
    raw: async (request, signal) => await sendRaw(transport, request, signal),
    [Symbol.asyncDispose]: async () => await transport[Symbol.asyncDispose](),
  };
}

function getRequest(type: ResourceType, key: ObjectKey): ApiRequest {
  return { method: 'GET', path: objectPath(type, key), ...attempt('GET', type, key) };
}

function createRequest(type: ResourceType, object: KubeObject): ApiRequest {
  const { namespace, name = `${object.metadata.generateName ?? ''}*` } = object.metadata;
  requireNamespace(type, namespace, name);
  return {
    method: 'POST',
    path: resourcePath({ type, namespace }),
    ...attempt('CREATE', type, namespace === undefined ? { name } : { namespace, name }),
    body: bodyOf(type, object),
    contentType: json,
  };
}

function replaceRequest(type: ResourceType, object: KubeObject): ApiRequest {
  const key = keyOf(object);
  const path = objectPath(type, key);
  return { method: 'PUT', path, ...attempt('REPLACE', type, key), body: bodyOf(type, object), contentType: json };
}

function applyRequest(type: ResourceType, object: KubeObject, options: ApplyOptions): ApiRequest {
  const key = keyOf(object);
  const { fieldManager, force = true, subresource, dryRun } = options;
  const query = { fieldManager, force, dryRun: dryRun === true ? 'All' : undefined };
  return {
    method: 'PATCH',
    path: withQuery(objectPath(type, key, subresource), query),
    ...attempt('APPLY', type, key),
    body: bodyOf(type, object),
    contentType: 'application/apply-patch+yaml',
  };
}

function patchRequest(
  { type, key }: { readonly type: ResourceType; readonly key: ObjectKey },
  patch: object,
  { subresource, fieldManager }: PatchOptions,
): ApiRequest {
  return {
    method: 'PATCH',
    path: withQuery(objectPath(type, key, subresource), { fieldManager }),
    ...attempt('PATCH', type, key),
    body: JSON.stringify(patch),
    contentType: 'application/merge-patch+json',
  };
}

function deleteRequest(type: ResourceType, key: ObjectKey, options: DeleteOptions): ApiRequest {
  const { uid, resourceVersion, propagation, gracePeriodSeconds } = options;
  const preconditions = uid === undefined && resourceVersion === undefined ? undefined : { uid, resourceVersion };
  return {
    method: 'DELETE',
    path: objectPath(type, key),
    ...attempt('DELETE', type, key),
    body: JSON.stringify({
      apiVersion: 'v1',
      kind: 'DeleteOptions',
      preconditions,
      propagationPolicy: propagation,
      gracePeriodSeconds,
    }),
    contentType: json,
  };
}

/** Not retried: whoever asks this way (probes) wants to know how the server is at this moment. */
async function sendRaw(
  transport: Transport,
  { method, path, body, contentType = json, timeoutMs }: RawRequest,
  signal: AbortSignal,
): Promise<{ readonly status: number; readonly body: string }> {
  const request: ApiRequest = {
    method,
    path,
    attempted: `${method} ${path.split('?', 1)[0]}`,
    ...(body === undefined ? {} : { body: JSON.stringify(body), contentType }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  };
  const answer = await transport.send(request, signal);
  return { status: answer.status, body: await readText(request, answer, signal) };
}

function bodyOf({ apiVersion, kind }: ResourceType, object: KubeObject): string {
  return JSON.stringify({ ...object, apiVersion, kind });
}

function attempt(verb: string, type: ResourceType, key: ObjectKey): { attempted: string; secret: boolean } {
  return { attempted: `${verb} ${type.plural} ${formatKey(key)}`, secret: type.plural === 'secrets' };
}

async function undefinedIfNotFound<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (isKubeError(error, 'NOT_FOUND')) return undefined;
    throw error;
  }
}
