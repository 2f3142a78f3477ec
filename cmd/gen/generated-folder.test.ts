import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { pageFile, yamlFile } from './generated-file.ts';
import { compareFiles, writeFiles, type GeneratedFolder } from './generated-folder.ts';

const folders: readonly GeneratedFolder[] = [
  { path: 'crds', holds: 'generated' },
  { path: 'docs/reference', holds: 'mixed' },
];
const files = [yamlFile('crds/a.yaml', 'code', [{ a: 1 }]), pageFile('api', 'code', ['# API'])];
const nothing = { missing: [], different: [], stray: [] };

let root = '';
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'capn-gen-'));
});
afterEach(async () => await rm(root, { recursive: true }));

it('writes what is missing, after which nothing differs', async () => {
  expect(await writeFiles(root, folders, files)).toEqual({
    ...nothing,
    missing: ['crds/a.yaml', 'docs/reference/api.md'],
  });
  expect(await compareFiles(root, folders, files)).toEqual(nothing);
});

it('finds an edit, a stray file and a page that no code writes any more; a check changes nothing', async () => {
  await writeFiles(root, folders, [...files, pageFile('old', 'code', ['# Old'])]);
  await writeFile(join(root, 'crds/a.yaml'), 'a: 2\n');
  await writeFile(join(root, 'crds/b.yaml'), 'b: 1\n');
  const found = { missing: [], different: ['crds/a.yaml'], stray: ['crds/b.yaml', 'docs/reference/old.md'] };
  expect(await compareFiles(root, folders, files)).toEqual(found);
  expect(await compareFiles(root, folders, files)).toEqual(found);
});

it('puts right what it finds, and leaves pages that people wrote alone', async () => {
  await writeFiles(root, folders, files);
  await writeFile(join(root, 'crds/a.yaml'), 'a: 2\n');
  await writeFile(join(root, 'crds/b.yaml'), 'b: 1\n');
  await writeFile(join(root, 'docs/reference/by-hand.md'), '# By hand\n');
  await writeFiles(root, folders, files);
  expect(await compareFiles(root, folders, files)).toEqual(nothing);
  expect(await readFile(join(root, 'docs/reference/by-hand.md'), 'utf8')).toBe('# By hand\n');
});
