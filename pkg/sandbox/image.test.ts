import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdtemp, readFile, rm, utimes, writeFile, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { extract } from 'tar-stream';
import { expect, onTestFinished, test } from 'vitest';
import { buildImage, type ImageSpec } from './image.ts';

const { signal } = new AbortController();

interface Entry {
  readonly name: string;
  readonly mode: number;
  readonly content: Buffer;
  readonly mtime: number;
}

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'capn-image-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

async function readTar(source: Readable): Promise<Entry[]> {
  const entries: Entry[] = [];
  const reader = extract();
  source.pipe(reader);
  for await (const entry of reader) {
    const { name, mode, mtime } = entry.header;
    entries.push({ name, mode, mtime: mtime.getTime(), content: await buffer(entry as AsyncIterable<Uint8Array>) });
  }
  return entries;
}

async function example(folder: string): Promise<ImageSpec> {
  const program = join(folder, 'program');
  await writeFile(program, 'binary', { mode: 0o700 });
  return {
    tags: ['registry.k8s.io/example:v1', 'registry.k8s.io/example:v1.0'],
    layers: [
      [
        { kind: 'copy', path: '/usr/local/bin/program', from: program },
        { kind: 'folder', path: '/tmp', mode: 0o1777 },
        { kind: 'link', path: '/bin/p', target: '/usr/local/bin/program' },
      ],
      [{ kind: 'text', path: '/etc/name', content: 'äö', uid: 65_532 }],
    ],
    entrypoint: ['/usr/local/bin/program'],
    user: '65532:65532',
    env: { HOME: '/tmp' },
  };
}

test('the archive has a manifest, a configuration and its layers, tied together by their digests', async () => {
  const folder = await temporaryFolder();
  const file = join(folder, 'out', 'image.tar');
  await buildImage(await example(folder), file, signal);
  const entries = new Map((await readTar(createReadStream(file))).map((entry) => [entry.name, entry.content]));
  const [manifest] = JSON.parse(String(entries.get('manifest.json'))) as [
    { Config: string; RepoTags: string[]; Layers: string[] },
  ];
  expect(manifest.RepoTags).toEqual(['registry.k8s.io/example:v1', 'registry.k8s.io/example:v1.0']);
  const config = JSON.parse(String(entries.get(manifest.Config))) as {
    config: { Entrypoint: string[]; User: string; Env: string[] };
    rootfs: { diff_ids: string[] };
  };
  expect(config.config).toMatchObject({ Entrypoint: ['/usr/local/bin/program'], User: '65532:65532' });
  expect(config.config.Env).toContain('HOME=/tmp');
  const digests = manifest.Layers.map((layer) =>
    createHash('sha256')
      .update(entries.get(layer) ?? '')
      .digest('hex'),
  );
  expect(config.rootfs.diff_ids).toEqual(digests.map((digest) => `sha256:${digest}`));
  expect(await readdir(join(folder, 'out'))).toEqual(['image.tar']);
});

test('layers have parents first, sorted, with fixed times and the modes asked for', async () => {
  const folder = await temporaryFolder();
  const file = join(folder, 'image.tar');
  await buildImage(await example(folder), file, signal);
  const outer = await readTar(createReadStream(file));
  const layer = outer.find((entry) => entry.name.endsWith('.tar'));
  const inner = await readTar(Readable.from([layer?.content]));
  expect(inner.map(({ name, mode }) => [name.replace(/\/$/, ''), mode])).toEqual([
    ['bin', 0o755],
    ['bin/p', 0o644],
    ['tmp', 0o1777],
    ['usr', 0o755],
    ['usr/local', 0o755],
    ['usr/local/bin', 0o755],
    ['usr/local/bin/program', 0o755],
  ]);
  expect(new Set([...outer, ...inner].map((entry) => entry.mtime))).toEqual(new Set([0]));
});

test('the same input gives the same bytes, whatever the times of the files', async () => {
  const folder = await temporaryFolder();
  const spec = await example(folder);
  await buildImage(spec, join(folder, 'a.tar'), signal);
  await utimes(join(folder, 'program'), 1, 1);
  await buildImage({ ...spec, layers: spec.layers.map((files) => files.toReversed()) }, join(folder, 'b.tar'), signal);
  expect((await readFile(join(folder, 'a.tar'))).equals(await readFile(join(folder, 'b.tar')))).toBe(true);
});

test('a path given twice, or a file that is not there, leaves no image', async () => {
  const folder = await temporaryFolder();
  const file = join(folder, 'out', 'image.tar');
  const twice = { kind: 'text', path: '/a', content: '' } as const;
  await expect(buildImage({ tags: ['x:1'], layers: [[twice, twice]] }, file, signal)).rejects.toThrow(
    '/a is given twice',
  );
  const lost = { kind: 'copy', path: '/a', from: join(folder, 'lost') } as const;
  await expect(buildImage({ tags: ['x:1'], layers: [[lost]] }, file, signal)).rejects.toThrow('ENOENT');
  expect(await readdir(join(folder, 'out'))).toEqual([]);
});
