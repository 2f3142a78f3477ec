import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, readlink, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, posix } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { pack, type Header, type Pack } from 'tar-stream';

/** One entry of a layer. `path` is absolute in the image; missing parent folders are added (mode 755, root). */
export type ImageFile = {
  readonly path: string;
  readonly uid?: number;
  readonly gid?: number;
} & (
  | {
      readonly kind: 'copy';
      /** File on this machine. */ readonly from: string;
      /** Default 0o755. */ readonly mode?: number;
    }
  | { readonly kind: 'text'; readonly content: string; /** Default 0o644. */ readonly mode?: number }
  | { readonly kind: 'folder'; /** Default 0o755. */ readonly mode?: number }
  | { readonly kind: 'link'; readonly target: string }
);

/** A container image to build. */
export interface ImageSpec {
  /** Full references: `registry.k8s.io/pause:3.10`. */
  readonly tags: readonly [string, ...string[]];
  /** Lowest first; put what seldom changes first. */
  readonly layers: readonly (readonly ImageFile[])[];
  readonly entrypoint?: readonly string[];
  readonly command?: readonly string[];
  /** `uid:gid`; default root. */
  readonly user?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly workingDir?: string;
  readonly labels?: Readonly<Record<string, string>>;
}

interface Layer {
  readonly file: string;
  readonly digest: string;
  readonly size: number;
}

/**
 * Writes the image as a tar in the form of `docker save` (manifest.json, a configuration, one tar a layer), which
 * `ctr images import`, `docker load` and kind read. The same input gives the same bytes: entries are sorted, owners
 * explicit, all times 1970. The file appears whole or not at all.
 *
 * **Errors** a file that cannot be read or written; a path given twice in one layer.
 */
export async function buildImage(spec: ImageSpec, outTar: string, signal: AbortSignal): Promise<void> {
  await mkdir(dirname(outTar), { recursive: true });
  const scratch = await mkdtemp(join(dirname(outTar), `.${basename(outTar)}.`));
  try {
    const layers: Layer[] = [];
    for (const [index, files] of spec.layers.entries()) {
      layers.push(await writeLayer(files, join(scratch, `layer-${index}.tar`), signal));
    }
    const whole = join(scratch, 'image.tar');
    await writeArchive(spec, { layers, file: whole }, signal);
    await rename(whole, outTar);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/**
 * The files, folders and links below `folder` of this machine as entries below `prefix` of the image, owned by root.
 * `accepts` gets a path relative to `folder`; what it refuses is left out, with all below it.
 */
export async function filesBelow(
  folder: string,
  prefix: string,
  accepts: (path: string) => boolean = () => true,
): Promise<ImageFile[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const found = await Promise.all(
    entries.map(async (entry): Promise<ImageFile[]> => {
      const from = join(folder, entry.name);
      const path = posix.join(prefix, entry.name);
      if (!accepts(entry.name)) return [];
      if (entry.isSymbolicLink()) return [{ kind: 'link', path, target: await readlink(from) }];
      if (entry.isDirectory()) {
        const below = await filesBelow(from, path, (inner) => accepts(posix.join(entry.name, inner)));
        return [{ kind: 'folder', path }, ...below];
      }
      return entry.isFile()
        ? [{ kind: 'copy', path, from, mode: ((await stat(from)).mode & 0o111) > 0 ? 0o755 : 0o644 }]
        : [];
    }),
  );
  return found.flat();
}

async function writeLayer(files: readonly ImageFile[], file: string, signal: AbortSignal): Promise<Layer> {
  const tar = pack();
  const hash = createHash('sha256');
  let size = 0;
  const measured = async function* (): AsyncIterable<Uint8Array> {
    for await (const chunk of tar as AsyncIterable<Uint8Array>) {
      hash.update(chunk);
      size += chunk.length;
      yield chunk;
    }
  };
  const written = pipeline(measured, createWriteStream(file), { signal });
  await Promise.all([written, addAll(tar, withParents(files))]);
  return { file, digest: hash.digest('hex'), size };
}

async function addAll(tar: Pack, files: readonly ImageFile[]): Promise<void> {
  try {
    for (const file of files) await addFile(tar, file);
    tar.finalize();
  } catch (error) {
    tar.destroy(error instanceof Error ? error : new Error(String(error)));
    throw error;
  }
}

async function addFile(tar: Pack, file: ImageFile): Promise<void> {
  const { uid = 0, gid = 0 } = file;
  const common = { name: file.path.replace(/^\/+/, ''), uid, gid, mtime: new Date(0) };
  switch (file.kind) {
    case 'folder':
      return addEntry(tar, { ...common, type: 'directory', mode: file.mode ?? 0o755 }, undefined);
    case 'link':
      return addEntry(tar, { ...common, type: 'symlink', linkname: file.target }, undefined);
    case 'text':
      return addEntry(
        tar,
        { ...common, mode: file.mode ?? 0o644, size: Buffer.byteLength(file.content) },
        file.content,
      );
    case 'copy': {
      const { size } = await stat(file.from);
      return addEntry(tar, { ...common, mode: file.mode ?? 0o755, size }, createReadStream(file.from));
    }
  }
}

async function addEntry(
  tar: Pack,
  header: Partial<Header> & Pick<Header, 'name'>,
  content: Readable | string | undefined,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<undefined>();
  const done = (error?: Error | null): void => (error ? reject(error) : resolve(undefined));
  if (typeof content === 'string') tar.entry(header, content, done);
  else {
    const entry = tar.entry(header, done);
    if (content !== undefined) await pipeline(content, entry);
  }
  await promise;
}

/** Adds missing parent folders and sorts, so that a folder comes before what is in it. */
function withParents(files: readonly ImageFile[]): ImageFile[] {
  const byPath = new Map<string, ImageFile>();
  for (const file of files) {
    const path = posix.resolve('/', file.path);
    if (byPath.has(path)) throw new Error(`image layer: ${path} is given twice`);
    byPath.set(path, { ...file, path });
  }
  for (const path of byPath.keys()) {
    for (let parent = posix.dirname(path); parent !== '/'; parent = posix.dirname(parent)) {
      if (!byPath.has(parent)) byPath.set(parent, { kind: 'folder', path: parent });
    }
  }
  return [...byPath.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

async function writeArchive(
  spec: ImageSpec,
  { layers, file }: { readonly layers: readonly Layer[]; readonly file: string },
  signal: AbortSignal,
): Promise<void> {
  const config = JSON.stringify(imageConfig(spec, layers));
  const configName = `${createHash('sha256').update(config).digest('hex')}.json`;
  // Two layers may have the same content; an archive must not hold the same name twice.
  const unique = [...new Map(layers.map((layer) => [layer.digest, layer])).values()];
  const manifest = [{ Config: configName, RepoTags: spec.tags, Layers: layers.map((layer) => `${layer.digest}.tar`) }];
  const tar = pack();
  const entries: readonly ImageFile[] = [
    { kind: 'text', path: configName, content: config },
    ...unique.map((layer) => ({ kind: 'copy', path: `${layer.digest}.tar`, from: layer.file, mode: 0o644 }) as const),
    { kind: 'text', path: 'manifest.json', content: JSON.stringify(manifest) },
  ];
  await Promise.all([
    pipeline(tar as AsyncIterable<Uint8Array>, createWriteStream(file), { signal }),
    addAll(tar, entries),
  ]);
}

/** The OCI image configuration (opencontainers/image-spec, config.md). */
function imageConfig(spec: ImageSpec, layers: readonly Layer[]): object {
  const architectures: Partial<Record<NodeJS.Architecture, string>> = { x64: 'amd64', arm64: 'arm64' };
  return {
    created: '1970-01-01T00:00:00Z',
    architecture: architectures[process.arch] ?? process.arch,
    os: 'linux',
    config: {
      Env: Object.entries({ PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', ...spec.env }).map(
        ([name, value]) => `${name}=${value}`,
      ),
      Entrypoint: spec.entrypoint,
      Cmd: spec.command,
      User: spec.user,
      WorkingDir: spec.workingDir ?? '/',
      Labels: spec.labels,
    },
    rootfs: { type: 'layers', diff_ids: layers.map((layer) => `sha256:${layer.digest}`) },
    history: layers.map(() => ({ created: '1970-01-01T00:00:00Z', created_by: 'capn' })),
  };
}
