import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Fault } from '../../test/faults.ts';

/** A test's file: its path from the repository's root, and its text. */
export interface TestFile {
  readonly path: string;
  readonly text: string;
}

/** A fault id in the title of a test. */
export interface FaultTest {
  readonly id: string;
  readonly path: string;
}

/** A test's title starts with its ids, several side by side where it tries several faults: `'[F-a] [F-b] is refused'`. */
const title = /['"`]((?:\[F-[a-z0-9-]+\]\s*)+)/g;
const idInTitle = /\[(F-[a-z0-9-]+)\]/g;

/** Which tests name which fault ids. An id inside a text, or in a comment, does not count. */
export function faultTests(files: readonly TestFile[]): readonly FaultTest[] {
  return files.flatMap(({ path, text }) =>
    [...text.matchAll(title)].flatMap(([, ids = '']) =>
      [...ids.matchAll(idInTitle)].map(([, id = '']) => ({ id, path })),
    ),
  );
}

/** What is wrong between the list of faults and the tests: an id without a test, an id that is not listed, a double. */
export function faultProblems(faults: readonly Fault[], files: readonly TestFile[]): readonly string[] {
  const tests = faultTests(files);
  const tried = new Set(tests.map(({ id }) => id));
  const listed = new Set<string>(faults.map(({ id }) => id));
  const doubles = faults.filter(({ id }, at) => faults.findIndex((fault) => fault.id === id) !== at);
  return [
    ...doubles.map(({ id }) => `test/faults.ts lists ${id} twice`),
    ...[...listed].filter((id) => !tried.has(id)).map((id) => `no test has [${id}] in its title`),
    ...tests
      .filter(({ id }) => !listed.has(id))
      .map(({ id, path }) => `${path} names [${id}], which test/faults.ts does not list`),
  ];
}

/** Reads all test files below `root`, sorted by path. */
export async function readTestFiles(root: string): Promise<readonly TestFile[]> {
  const paths: string[] = [];
  for await (const path of glob('{pkg,cmd,test}/**/*.test.ts', { cwd: root })) paths.push(path.replaceAll('\\', '/'));
  return await Promise.all(
    paths.sort().map(async (path) => ({ path, text: await readFile(join(root, path), 'utf8') })),
  );
}
