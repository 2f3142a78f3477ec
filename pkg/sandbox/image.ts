import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { pack } from 'tar-stream';
import { addAll, withParents, type ImageFile } from './image-tar.ts';

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
