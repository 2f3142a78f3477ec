import { isDeepStrictEqual } from 'node:util';

/**
 * The JSON merge patch (RFC 7386) that turns `before` into `after`; `undefined` when they are equal.
 *
 * Fields that `after` lacks (or holds as `undefined`) become `null`, which deletes them; lists are replaced whole.
 * **Guarantees** applying the patch to `before` gives `after`, save for `null`s inside `after`: a merge patch cannot set those.
 */
export function mergePatchBetween(before: object, after: object): Readonly<Record<string, unknown>> | undefined {
  const patch = Object.fromEntries(
    [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key) => {
      const change = changeOf(valueAt(before, key), valueAt(after, key));
      return change === undefined ? [] : [[key, change] as const];
    }),
  );
  return Object.keys(patch).length === 0 ? undefined : patch;
}

function changeOf(before: unknown, after: unknown): unknown {
  if (isDeepStrictEqual(before, after)) return undefined;
  if (after === undefined) return null;
  return isMap(before) && isMap(after) ? mergePatchBetween(before, after) : after;
}

function valueAt(object: object, key: string): unknown {
  return Object.hasOwn(object, key) ? (object as Record<string, unknown>)[key] : undefined;
}

/** An exact integer (`JSON.rawJSON`) looks like an object, but is one value. */
function isMap(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawJson(value);
}

function isRawJson(value: object): boolean {
  return (JSON as unknown as { isRawJSON(value: unknown): boolean }).isRawJSON(value);
}
