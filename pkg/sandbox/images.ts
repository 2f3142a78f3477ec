import { createHash } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Program } from './binaries.ts';
import { imageSpecs } from './image-specs.ts';
import { buildImage, type ImageSpec } from './image.ts';
import { runCommand } from './run-command.ts';

/** Builds the images that are not in the cache yet; returns tags, file and content key of all of them. */
export async function ensureImages(
  paths: Readonly<Record<Program, string>>,
  cacheDir: string,
  signal: AbortSignal,
): Promise<CachedImage[]> {
  const applets = (await runCommand(['/bin/busybox', '--list'], {}, signal)).trim().split('\n');
  const images: CachedImage[] = [];
  for (const spec of imageSpecs(paths, applets)) {
    const key = await keyOf(spec);
    const file = join(cacheDir, 'images', `${imageFileName(spec.tags[0])}-${key}.tar`);
    if ((await stat(file).catch(() => undefined)) === undefined) await renewImage(spec, file, signal);
    images.push({ tags: spec.tags, file, key });
  }
  return images;
}

/** Builds the image's tar and drops the cached tars of its earlier versions. */
async function renewImage(spec: ImageSpec, file: string, signal: AbortSignal): Promise<void> {
  await buildImage(spec, file, signal);
  const folder = dirname(file);
  const earlier = (await readdir(folder)).filter(
    (name) => name.startsWith(`${imageFileName(spec.tags[0])}-`) && name !== basename(file),
  );
  await Promise.all(earlier.map((name) => rm(join(folder, name), { force: true })));
}

/** An image whose tar is in the cache. */
export interface CachedImage {
  readonly tags: readonly string[];
  readonly file: string;
  readonly key: string;
}

/** Changes when the image would: its description, or size or time of a program in it. */
async function keyOf(spec: ImageSpec): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(spec));
  for (const file of spec.layers.flat()) {
    if (file.kind !== 'copy') continue;
    const { size, mtimeMs } = await stat(file.from);
    hash.update(`${size} ${mtimeMs} `);
  }
  return hash.digest('hex').slice(0, 16);
}

/** A tag as part of a file's name. */
export function imageFileName(tag: string): string {
  return tag.replaceAll(/[^a-zA-Z0-9.]+/g, '-');
}
