import { chmod, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCommand } from '#sandbox';
import { shellBlocks } from '../fixtures/markdown.ts';
import { superCluster } from '../fixtures/super-cluster.ts';

const root = new URL('../..', import.meta.url).pathname;
const guides = ['docs/guides/first-tenant.md'];
const { signal } = new AbortController();
let folder = '';
let env: Record<string, string> = {};

beforeAll(async () => {
  const { sandbox } = await superCluster();
  folder = await mkdtemp(join(tmpdir(), 'capn-docs-'));
  await symlink(sandbox.kubectl, join(folder, 'kubectl'));
  await writeFile(
    join(folder, 'capn'),
    `#!/bin/sh\nexec '${process.execPath}' '${join(root, 'cmd/capn/main.ts')}' "$@"\n`,
  );
  await chmod(join(folder, 'capn'), 0o755);
  await symlink(join(root, 'config'), join(folder, 'config'));
  await symlink(join(root, 'crds'), join(folder, 'crds'));
  env = {
    PATH: `${folder}:${process.env['PATH'] ?? ''}`,
    KUBECONFIG: sandbox.kubeconfig,
    CAPN_STATE_DIR: folder,
  };
});

afterAll(async () => {
  await runCommand(['kubectl', 'delete', 'namespace', 'teams', '--ignore-not-found'], { env }, signal);
  await rm(folder, { recursive: true, force: true });
});

it.each(guides)(
  '%s: its commands run, in order',
  async (guide) => {
    const blocks = shellBlocks(await readFile(join(root, guide), 'utf8'));
    expect(blocks.length).toBeGreaterThan(4);
    for (const block of blocks) {
      await expect(
        runCommand(['bash', '-euo', 'pipefail', '-c', block], { env, cwd: folder }, signal),
        block,
      ).resolves.toBeDefined();
    }
  },
  400_000,
);
