import { requestJson } from './answer.ts';
import type { ListOptions, ListResult } from './client.ts';
import { isKubeError } from './errors.ts';
import type { KubeObject } from './objects.ts';
import { resourcePath, withQuery } from './resource-path.ts';
import type { ResourceType } from './resource-types.ts';
import type { ApiRequest, Transport } from './transport.ts';

const defaultPageSize = 500;
/** Lists begun anew, because the pages expired (410), before the whole list is asked for in one answer. */
const pagedAttempts = 2;

interface Page {
  readonly metadata?: { readonly resourceVersion?: string; readonly continue?: string };
  readonly items?: readonly KubeObject[] | null;
}

/**
 * Lists all objects page by page, as of one resourceVersion. Should a page have expired (410), it begins anew, and at
 * the third time asks for all at once. Items get the apiVersion and kind that servers leave out in lists.
 */
export async function listObjects<T extends KubeObject>(
  transport: Transport,
  { type, options }: { readonly type: ResourceType<T>; readonly options: ListOptions },
  signal: AbortSignal,
): Promise<ListResult<T>> {
  for (let count = 1; count <= pagedAttempts; count++) {
    try {
      return await listPages<T>(transport, { type, options }, signal);
    } catch (error) {
      if (!isKubeError(error, 'EXPIRED')) throw error;
    }
  }
  return await listPages<T>(transport, { type, options: { ...options, pageSize: 0 } }, signal);
}

async function listPages<T extends KubeObject>(
  transport: Transport,
  { type, options }: { readonly type: ResourceType; readonly options: ListOptions },
  signal: AbortSignal,
): Promise<ListResult<T>> {
  const items: T[] = [];
  let continueToken = '';
  for (;;) {
    const page = (await requestJson(transport, pageRequest(type, options, continueToken), signal)) as Page;
    const { apiVersion, kind } = type;
    for (const item of page.items ?? []) items.push({ apiVersion, kind, ...item } as T);
    continueToken = page.metadata?.continue ?? '';
    if (continueToken === '') return { items, resourceVersion: page.metadata?.resourceVersion ?? '' };
  }
}

function pageRequest(type: ResourceType, options: ListOptions, continueToken: string): ApiRequest {
  const { namespace, labelSelector, fieldSelector, pageSize = defaultPageSize } = options;
  const path = withQuery(resourcePath({ type, namespace }), {
    limit: pageSize > 0 ? pageSize : undefined,
    labelSelector,
    fieldSelector,
    continue: continueToken === '' ? undefined : continueToken,
  });
  return { method: 'GET', path, attempted: `LIST ${type.plural}${namespace === undefined ? '' : ` in ${namespace}`}` };
}
