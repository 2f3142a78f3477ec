import { expect, it } from 'vitest';
import { faultProblems, faultTests, type TestFile } from './fault-tests.ts';

/** Written in two parts, or the scanner would take the ids in this file for real ones. */
function testFile(...titles: readonly string[]): TestFile {
  return { path: 'some.test.ts', text: titles.join('\n') };
}

const ids = (file: TestFile) => faultTests([file]).map(({ id }) => id);
const named = (word: string) => `[F-${word}]`;

it('finds ids in titles of tests, several in one, whatever the quotes', () => {
  expect(ids(testFile(`it('${named('a')} ${named('b')} is refused', () => {});`))).toEqual(['F-a', 'F-b']);
  expect(ids(testFile(`  it.each(rows)(\n    \`${named('c')} $name\`, async () => {});`))).toEqual(['F-c']);
  expect(ids(testFile(`describe("${named('d-1')}", () => {`))).toEqual(['F-d-1']);
});

it('does not count comments and what stands inside a text', () => {
  const file = testFile(`// ${named('a')}`, `const text = 'about ${named('b')}';`, `it('is ${named('c')}', () => {});`);
  expect(ids(file)).toEqual([]);
});

it('tells what is listed without a test, tested without being listed, or listed twice', () => {
  const file = testFile(`it('${named('b')} ${named('c')}', () => {});`);
  const faults = [
    { id: 'F-a', title: '' },
    { id: 'F-b', title: '' },
    { id: 'F-b', title: '' },
  ] as const;
  expect(faultProblems(faults, [file])).toEqual([
    'test/faults.ts lists F-b twice',
    'no test has [F-a] in its title',
    'some.test.ts names [F-c], which test/faults.ts does not list',
  ]);
});
