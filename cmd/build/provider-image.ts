import { createHash, hash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { buildImage, cacheFolder, type ImageFile, type ImageSpec } from '#sandbox';
import { bundlePrograms } from './bundles.ts';
import { sharedLibraries } from './shared-libraries.ts';

/** The name that config/manager asks for. */
const providerImageTag = 'ghcr.io/cluster-api-provider-nested/capn:v0.1.0';

export interface ProviderImage {
  readonly tag: string;
  /** An image tar, as `docker save` writes it. */
  readonly file: string;
  /** Changes when anything in the image does. */
  readonly contentHash: string;
}

const user = '65532';
const staleMs = 86_400_000;

/**
 * Bundles the manager and packs it with the Node that runs here and the libraries that it needs, without any container
 * engine. The tar is kept in the cache under the hash of its content; an unchanged image costs a second.
 * **Errors** esbuild's; a missing library; a file that cannot be written.
 */
export async function ensureProviderImage(signal: AbortSignal): Promise<ProviderImage> {
  const [manager = ''] = await bundlePrograms(['manager']);
  const spec = imageSpec({ node: process.execPath, libraries: await sharedLibraries(process.execPath), manager });
  const contentHash = await hashOf(spec);
  const folder = join(cacheFolder(), 'images');
  const file = join(folder, `capn-provider-${contentHash}.tar`);
  if (!existsSync(file)) {
    await buildImage(spec, file, signal);
    await removeStale(folder, file);
  }
  return { tag: providerImageTag, file, contentHash };
}

/** What is in the image. No shell, no package manager; nothing belongs to the user that it runs as. Pure. */
export function imageSpec(given: {
  readonly node: string;
  readonly libraries: readonly string[];
  readonly manager: string;
}): ImageSpec {
  const runtime: readonly ImageFile[] = [
    { kind: 'copy', path: '/usr/local/bin/node', from: given.node, mode: 0o755 },
    ...given.libraries.map((path): ImageFile => ({ kind: 'copy', path, from: path, mode: 0o755 })),
    {
      kind: 'text',
      path: '/etc/passwd',
      content: `root:x:0:0:root:/:/none\nnonroot:x:${user}:${user}:nonroot:/tmp:/none\n`,
    },
    { kind: 'text', path: '/etc/group', content: `root:x:0:\nnonroot:x:${user}:\n` },
    { kind: 'text', path: '/etc/nsswitch.conf', content: 'hosts: files dns\n' },
    { kind: 'folder', path: '/tmp', mode: 0o1777 },
  ];
  const program: readonly ImageFile[] = [
    { kind: 'copy', path: '/app/manager.mjs', from: given.manager, mode: 0o644 },
    { kind: 'copy', path: '/app/manager.mjs.map', from: `${given.manager}.map`, mode: 0o644 },
  ];
  return {
    tags: [providerImageTag],
    layers: [runtime, program],
    entrypoint: ['/usr/local/bin/node'],
    command: ['/app/manager.mjs'],
    user: `${user}:${user}`,
    env: { NODE_ENV: 'production' },
    workingDir: '/app',
    labels: { 'org.opencontainers.image.licenses': 'Apache-2.0' },
  };
}

/** Hash of what the image holds, whatever the places on this machine are called. */
async function hashOf(spec: ImageSpec): Promise<string> {
  const files = await Promise.all(spec.layers.flat().map(hashEntry));
  return hash('sha256', JSON.stringify({ ...spec, layers: files })).slice(0, 16);
}

async function hashEntry(file: ImageFile): Promise<unknown> {
  if (file.kind !== 'copy') return file;
  const digest = createHash('sha256');
  await pipeline(createReadStream(file.from), digest);
  return { ...file, from: digest.digest('hex') };
}

/** Tars of earlier builds take 130 MB each; those older than a day go. */
async function removeStale(folder: string, keep: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.startsWith('capn-provider-') && name.endsWith('.tar'));
  for (const file of names.map((name) => join(folder, name))) {
    if (file !== keep && Date.now() - (await stat(file)).mtimeMs > staleMs) await rm(file, { force: true });
  }
}
