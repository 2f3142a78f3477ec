import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { sharedSandbox } from '../fixtures/super-cluster.ts';

const root = new URL('../..', import.meta.url).pathname;
const run = promisify(execFile);

/** As a person's shell has it: npm's own folders are on the PATH of its scripts only. */
const env = {
  ...process.env,
  PATH: (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => !folder.includes('node_modules'))
    .join(delimiter),
};

/** The set-up of these tests ran the demo before, so that this is the second time. */
describe('npm run demo, a second time', () => {
  let seconds = 0;
  let result = { stdout: '', stderr: '' };

  beforeAll(async () => {
    const started = performance.now();
    result = await run(process.execPath, ['cmd/demo/main.ts', '--name', sharedSandbox], { cwd: root });
    seconds = (performance.now() - started) / 1000;
  });

  it('ends in less than a minute, and finds things up', () => {
    expect(seconds).toBeLessThan(60);
    expect(result.stderr).toContain('✓ Provider ready');
    expect(result.stderr).toContain('✓ Available=True');
    expect(result.stderr).not.toMatch(/started |image loaded|restarted/);
  });

  it('prints commands that work from the repository’s folder as they are', async () => {
    const commands = result.stdout.split('\n').filter((line) => line.startsWith('  '));
    expect(commands).toHaveLength(3);
    const [list = '', create = '', describeTenant = ''] = commands;
    const type = async (command: string) => await run('bash', ['-c', command], { cwd: root, env });

    expect((await type(list)).stdout).toContain('kube-system');
    const remove = create.replace(/ create deployment web .*/, ' delete deployment web --ignore-not-found');
    expect(remove).not.toBe(create);
    await type(remove);
    onTestFinished(async () => void (await type(remove)));
    expect((await type(create)).stdout).toBe('deployment.apps/web created\n');
    expect(await type(describeTenant)).toMatchObject({
      stdout: expect.stringMatching(/^NestedControlPlane team-a {2}available/),
      stderr: '',
    });
  });
});

it('capn sandbox up, stopped by Ctrl-C half-way, ends with 130 and says how to go on', async () => {
  const program = join(root, 'cmd/capn/main.ts');
  const flags = ['--name', 'e2e-stopped'];
  onTestFinished(async () => void (await run(process.execPath, [program, 'sandbox', 'down', ...flags])));
  const up = spawn(process.execPath, [program, 'sandbox', 'up', ...flags], { stdio: ['ignore', 'ignore', 'pipe'] });
  const exit = once(up, 'exit');
  const said: string[] = [];
  for await (const line of createInterface({ input: up.stderr })) {
    if (said.push(line) === 1) up.kill('SIGINT');
  }
  expect(await exit).toEqual([130, null]);
  expect(said.at(0)).toMatch(/^✓ Network/);
  expect(said.slice(-2)).toEqual(['capn: interrupted', '  run the same command again: it goes on from here']);
});
