import type { Fault } from '../../../test/faults.ts';
import type { TestFile } from '../fault-tests.ts';
import { faultTests } from '../fault-tests.ts';
import { pageFile, type GeneratedFile } from '../generated-file.ts';
import { code, table } from '../markdown.ts';

/** `faults.md`: id → what is tried → the tests that try it. */
export function faultsPage(faults: readonly Fault[], tests: readonly TestFile[]): GeneratedFile {
  const byId = Map.groupBy(faultTests(tests), ({ id }) => id);
  const rows = faults.map(({ id, title }) => {
    const files = [...new Set((byId.get(id) ?? []).map(({ path }) => path))];
    return [code(id), title, files.length === 0 ? 'none yet' : files.map((path) => code(path)).join(', ')];
  });
  const intro =
    'What is given wrong or broken on purpose, and which test does it. Find the test by the id in its title: `npx vitest run --config test/vitest.config.ts -t <id>`.';
  return pageFile('faults', 'test/faults.ts and the titles of the tests', [
    '# Faults',
    intro,
    table(['Id', 'What is tried', 'Test'], rows),
  ]);
}
