import { mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCommand } from '#sandbox';
import { shellBlocks } from '../fixtures/markdown.ts';
import { superCluster } from '../fixtures/super-cluster.ts';

const root = new URL('../..', import.meta.url).pathname;
const guides = await readdir(join(root, 'docs/guides'));
const { signal } = new AbortController();
let folder = '';
let env: Record<string, string> = {};

beforeAll(async () => {
  const { sandbox } = await superCluster();
  folder = await mkdtemp(join(tmpdir(), 'capn-docs-'));
  await symlink(sandbox.kubectl, join(folder, 'kubectl'));
  for (const name of ['cmd', 'config', 'crds']) await symlink(join(root, name), join(folder, name));
  env = {
    // What a guide tells its reader to bring along: kubectl, a Node that is new enough, and the super cluster's kubeconfig.
    PATH: [folder, dirname(process.execPath), process.env['PATH'] ?? ''].join(':'),
    KUBECONFIG: sandbox.kubeconfig,
    HOME: folder,
    CAPN_STATE_DIR: folder,
  };
});

afterAll(async () => {
  await runCommand(['kubectl', 'delete', 'namespace', 'teams', '--ignore-not-found'], { env }, signal);
  await rm(folder, { recursive: true, force: true });
});

/** Runs blocks as a person pastes them: in one shell, which ends at the first failure and names it. */
async function paste(blocks: readonly string[], cwd: string): Promise<void> {
  await expect(
    runCommand(['bash', '-euxo', 'pipefail', '-c', blocks.join('\n')], { env, cwd }, signal),
  ).resolves.toBeDefined();
}

it.each(guides)(
  'docs/guides/%s: its commands run, in order',
  async (guide) => {
    const blocks = shellBlocks(await readFile(join(root, 'docs/guides', guide), 'utf8'));
    expect(blocks.length).toBeGreaterThan(0);
    await paste(blocks, folder);
  },
  400_000,
);

it('README.md: its commands run', async () => {
  const [main, ...others] = shellBlocks(await readFile(join(root, 'README.md'), 'utf8'));
  // These two are not run here: this project's set-up runs the demo, and whoever sees this test runs `npm test`.
  expect(main?.replaceAll(/ +#.*$/gm, '')).toBe('npm ci && npm run demo\nnpm ci && npm test\n');
  expect(others.length).toBeGreaterThan(0);
  await paste(others, root);
});
