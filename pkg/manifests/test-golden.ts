import { readFile, writeFile } from 'node:fs/promises';
import { expect } from 'vitest';
import { stringify } from 'yaml';
import type { KubeObject } from '#kube';

/**
 * Compares objects with `testdata/<name>.yaml`. `UPDATE_GOLDEN=1` writes the file instead: look at the difference
 * before you commit it, it is what clusters will see.
 */
export async function expectGolden(name: string, objects: readonly KubeObject[]): Promise<void> {
  const url = new URL(`testdata/${name}.yaml`, import.meta.url);
  const text = objects
    .map((object) => stringify(object, { lineWidth: 0, singleQuote: true, aliasDuplicateObjects: false }))
    .join('---\n');
  if (process.env['UPDATE_GOLDEN'] !== undefined) await writeFile(url, text);
  expect(text).toBe(await readFile(url, 'utf8'));
}
