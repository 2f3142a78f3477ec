import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * `npm test`: everything that CI runs, from the cheapest proof to the dearest. Closes with one line of totals over all
 * suites; each static check counts as one test. A suite that fails does not keep the others from running.
 */
interface Totals {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

const checks = ['check:format', 'check:lint', 'check:types', 'check:gen', 'check:dead'];
const projects = ['unit', 'integration', 'e2e'];

async function run(command: string, args: readonly string[]): Promise<number> {
  const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  return await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

async function check(script: string): Promise<Totals> {
  console.log(`\n── ${script}`);
  const code = await run('npm', ['run', '--silent', script]);
  return code === 0 ? { passed: 1, failed: 0, skipped: 0 } : { passed: 0, failed: 1, skipped: 0 };
}

interface VitestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
}

async function suite(project: string, folder: string): Promise<Totals> {
  console.log(`\n── tests: ${project}`);
  const report = join(folder, `${project}.json`);
  const args = ['vitest', 'run', '--config', 'test/vitest.config.ts', '--project', project];
  const code = await run('npx', [...args, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`]);
  try {
    const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = JSON.parse(
      await readFile(report, 'utf8'),
    ) as VitestReport;
    // A suite can fail outside of any test, in a hook or on import.
    const outside = code !== 0 && numFailedTests === 0 ? 1 : 0;
    return { passed: numPassedTests, failed: numFailedTests + outside, skipped: numPendingTests + numTodoTests };
  } catch {
    return { passed: 0, failed: 1, skipped: 0 };
  }
}

const folder = await mkdtemp(join(tmpdir(), 'capn-test-'));
const results: Totals[] = [];
for (const script of checks) results.push(await check(script));
for (const project of projects) results.push(await suite(project, folder));
await rm(folder, { recursive: true });

const sum = (key: keyof Totals) => results.reduce((total, result) => total + result[key], 0);
console.log(`\n${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped`);
process.exitCode = sum('failed') === 0 ? 0 : 1;
