import { KubeError } from './errors.ts';
import { formatKey, type ObjectKey } from './objects.ts';
import { groupOf, type ResourceType } from './resource-types.ts';

/** What a path points to. Without `name` it is the collection, in one namespace or in all. */
export interface ResourceTarget {
  readonly type: ResourceType;
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  readonly subresource?: string | undefined;
}

/**
 * The URL path of a resource or collection.
 * **Errors** `INVALID` for a name that could change the path: empty, `.`, `..`, or with `/` or `%` in it. Escaping would
 * not do: API servers read the decoded path, where `a%2Fb` is `a/b` again.
 */
export function resourcePath({ type, namespace, name, subresource }: ResourceTarget): string {
  const root = groupOf(type) === '' ? `/api/${type.apiVersion}` : `/apis/${type.apiVersion}`;
  const scope = type.scope === 'Cluster' || namespace === undefined ? [] : ['namespaces', segment(namespace)];
  const object = name === undefined ? [] : [segment(name)];
  const below = subresource === undefined ? [] : [segment(subresource)];
  return [root, ...scope, type.plural, ...object, ...below].join('/');
}

/** The path of one object. **Errors** `INVALID` as above, and for a namespaced type without namespace. */
export function objectPath(type: ResourceType, key: ObjectKey, subresource?: string): string {
  requireNamespace(type, key.namespace, formatKey(key));
  return resourcePath({ type, namespace: key.namespace, name: key.name, subresource });
}

/** **Errors** `INVALID` when the type is namespaced and there is no namespace. */
export function requireNamespace(type: ResourceType, namespace: string | undefined, what: string): void {
  if (type.scope === 'Cluster' || namespace !== undefined) return;
  throw new KubeError(`${type.plural} ${what}: a namespace is needed, ${type.kind} is namespaced`, { code: 'INVALID' });
}

function segment(text: string): string {
  if (text !== '' && text !== '.' && text !== '..' && !/[/%]/.test(text)) return encodeURIComponent(text);
  throw new KubeError(`'${text}' cannot be a name: it may not be empty, '.', '..' or contain '/' or '%'`, {
    code: 'INVALID',
  });
}

/** The path with a query of those parameters that are set. */
export function withQuery(
  path: string,
  parameters: Readonly<Record<string, string | number | boolean | undefined>>,
): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.set(name, String(value));
  return query.size === 0 ? path : `${path}?${query.toString()}`;
}
