import { isDeepStrictEqual } from 'node:util';
import { type Document, isMap, isSeq, parseDocument, type YAMLMap, type YAMLSeq } from 'yaml';
import { CliError } from './cli-error.ts';
import type { TenantKubeconfig } from './connection/tenant-kubeconfig.ts';

export interface MergeOptions {
  /** Name of the file, for messages. */
  readonly file: string;
  /** Replace entries of the same names that differ; default false. */
  readonly force: boolean;
}

export interface Merged {
  readonly text: string;
  /** `same`: everything was there already. */
  readonly change: 'same' | 'changed';
}

const lists = ['clusters', 'users', 'contexts'] as const;

/**
 * Adds a tenant's entries to the text of a kubeconfig. All else stays as it is, comments included; `current-context` is
 * set only where there was none.
 * **Errors** `refused` when an entry of the same name differs and `force` is not set; `failed` when the text is no kubeconfig.
 */
export function mergeKubeconfig(text: string, addition: TenantKubeconfig, options: MergeOptions): Merged {
  const document = readDocument(text, options.file);
  const conflicts = lists.flatMap((list) =>
    addition[list].filter((entry) => differs(document, list, entry)).map(({ name }) => `${list}/${name}`),
  );
  if (conflicts.length > 0 && !options.force) throw wouldOverwrite(conflicts, options.file);
  const changes = lists.flatMap((list) => addition[list].map((entry) => put(document, list, entry)));
  const current = setCurrent(document, addition['current-context']);
  return changes.includes(true) || current
    ? { text: document.toString({ lineWidth: 0 }), change: 'changed' }
    : { text, change: 'same' };
}

function readDocument(text: string, file: string): Document {
  const document: Document = parseDocument(text.trim() === '' ? 'apiVersion: v1\nkind: Config\n' : text);
  const isKubeconfig = isMap(document.contents) && (document.get('kind') ?? 'Config') === 'Config';
  if (document.errors.length === 0 && isKubeconfig) return document;
  throw new CliError(
    'failed',
    `${file} is no kubeconfig that can be read`,
    'correct it, or choose another file; it was not touched',
  );
}

function entriesOf(document: Document, list: string): YAMLSeq {
  const found = document.get(list);
  if (isSeq(found)) return found;
  const created = document.createNode([]) as YAMLSeq;
  document.set(list, created);
  return created;
}

function indexOf(document: Document, list: string, name: string): number {
  const found = document.get(list);
  return isSeq(found) ? found.items.findIndex((item) => isMap(item) && item.get('name') === name) : -1;
}

function differs(document: Document, list: string, entry: { readonly name: string }): boolean {
  const index = indexOf(document, list, entry.name);
  if (index < 0) return false;
  const item = entriesOf(document, list).items[index] as YAMLMap;
  return !isDeepStrictEqual(item.toJSON(), plain(entry));
}

function put(document: Document, list: string, entry: { readonly name: string }): boolean {
  const index = indexOf(document, list, entry.name);
  if (index >= 0 && !differs(document, list, entry)) return false;
  const node = document.createNode(plain(entry));
  const entries = entriesOf(document, list);
  entries.flow = false;
  if (index < 0) entries.add(node);
  else entries.items[index] = node;
  return true;
}

function setCurrent(document: Document, name: string): boolean {
  const current = document.get('current-context');
  if (typeof current === 'string' && current !== '') return false;
  document.set('current-context', name);
  return true;
}

function plain(entry: object): unknown {
  return JSON.parse(JSON.stringify(entry));
}

function wouldOverwrite(conflicts: readonly string[], file: string): CliError {
  return new CliError(
    'refused',
    `${file} has other entries of the same names: ${conflicts.join(', ')}`,
    'nothing was changed; --force replaces these entries and leaves all others, --out FILE writes a file of its own',
  );
}
