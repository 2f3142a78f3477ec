import { expect, test } from 'vitest';
import { parseJson } from './json.ts';
import { mergePatchBetween } from './patch.ts';

/** RFC 7386 section 2, by the letter. */
function applyMergePatch(target: unknown, patch: unknown): unknown {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch;
  const result: Record<string, unknown> =
    typeof target === 'object' && target !== null && !Array.isArray(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else result[key] = applyMergePatch(result[key], value);
  }
  return result;
}

test.each([
  [{ a: 1 }, { a: 2 }, { a: 2 }],
  [{ a: 1, b: 2 }, { b: 2 }, { a: null }],
  [{ a: { b: 1, c: 2 } }, { a: { b: 1, c: 3 } }, { a: { c: 3 } }],
  [{ a: [1, 2] }, { a: [2] }, { a: [2] }],
  [{ a: { b: 1 } }, { a: [1] }, { a: [1] }],
  [{ a: [1] }, { a: { b: 1 } }, { a: { b: 1 } }],
  [{}, { a: { b: {} } }, { a: { b: {} } }],
  [{ a: { b: 1 } }, { a: {} }, { a: { b: null } }],
  [{ a: 1 }, { a: undefined }, { a: null }],
  [{ constructor: 1 }, {}, { constructor: null }],
  [{}, { toString: 'x' }, { toString: 'x' }],
])('%j → %j is %j, and applying it gives the latter', (before, after, patch) => {
  expect(mergePatchBetween(before, after)).toEqual(patch);
  expect(applyMergePatch(before, patch)).toEqual(JSON.parse(JSON.stringify(after)));
});

test('equal objects need no patch, whatever the order of their fields', () => {
  expect(mergePatchBetween({ a: 1, b: { c: [1] } }, { b: { c: [1] }, a: 1 })).toBeUndefined();
  expect(mergePatchBetween({}, { a: undefined })).toBeUndefined();
});

test('exact integers are compared and sent whole', () => {
  const before = parseJson('{"n":9007199254740993}') as object;
  expect(mergePatchBetween(before, parseJson('{"n":9007199254740993}') as object)).toBeUndefined();
  const patch = mergePatchBetween(before, parseJson('{"n":9007199254740995}') as object);
  expect(JSON.stringify(patch)).toBe('{"n":9007199254740995}');
});
