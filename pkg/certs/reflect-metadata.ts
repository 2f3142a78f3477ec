/**
 * `@peculiar/x509` resolves its algorithms through tsyringe, which refuses to load unless decorator metadata can be
 * read from `Reflect`. Its classes carry none, so the three functions that tsyringe calls are all that is needed. They
 * are defined only where nobody has defined them before. Import this file before `@peculiar/x509`.
 */
const table = new WeakMap<object, Map<unknown, unknown>>();

function defineMetadata(key: unknown, value: unknown, target: object): void {
  const entries = table.get(target) ?? new Map<unknown, unknown>();
  table.set(target, entries.set(key, value));
}

function getOwnMetadata(key: unknown, target: object): unknown {
  return table.get(target)?.get(key);
}

function getMetadata(key: unknown, target: object): unknown {
  for (let at: object | null = target; at !== null; at = Object.getPrototypeOf(at)) {
    if (table.get(at)?.has(key) === true) return getOwnMetadata(key, at);
  }
  return undefined;
}

if (!('getMetadata' in Reflect)) Object.assign(Reflect, { defineMetadata, getOwnMetadata, getMetadata });
