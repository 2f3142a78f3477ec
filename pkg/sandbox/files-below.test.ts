import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { filesBelow } from './files-below.ts';

test('a folder of this machine becomes entries', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'capn-files-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await mkdir(join(folder, 'src', 'sub'), { recursive: true });
  await writeFile(join(folder, 'src', 'sub', 'run'), '', { mode: 0o755 });
  await writeFile(join(folder, 'src', 'sub', 'skip.map'), '');
  await symlink('run', join(folder, 'src', 'sub', 'link'));
  const files = await filesBelow(join(folder, 'src'), '/app', (path) => path !== 'sub/skip.map');
  expect(files.toSorted((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
    { kind: 'folder', path: '/app/sub' },
    { kind: 'link', path: '/app/sub/link', target: 'run' },
    { kind: 'copy', path: '/app/sub/run', from: join(folder, 'src', 'sub', 'run'), mode: 0o755 },
  ]);
});
