import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Program } from './binaries.ts';
import { buildImage, type ImageFile, type ImageSpec } from './image.ts';
import { sandboxImages } from './image-names.ts';
import { layoutOf, type SandboxLayout } from './layout.ts';
import { insideNamespaces } from './namespaces.ts';
import { runCommand } from './run-command.ts';

/**
 * The images of a sandbox, built around static programs at the paths that usual manifests call.
 */
export function imageSpecs(paths: Readonly<Record<Program, string>>, applets: readonly string[]): ImageSpec[] {
  const program = (name: Program, folder = '/usr/local/bin'): ImageFile => ({
    kind: 'copy',
    path: join(folder, name),
    from: paths[name],
  });
  const tmp: ImageFile = { kind: 'folder', path: '/tmp', mode: 0o1777 };
  return [
    // Published as 3.10 too, which is what people's examples name.
    {
      tags: [sandboxImages.pause, 'registry.k8s.io/pause:3.10'],
      layers: [[program('pause', '/')]],
      entrypoint: ['/pause'],
      user: '65535:65535',
    },
    { tags: [sandboxImages.coredns], layers: [[program('coredns', '/')]], entrypoint: ['/coredns'] },
    {
      tags: [sandboxImages.localPathProvisioner],
      layers: [[program('local-path-provisioner', '/usr/bin'), tmp]],
      entrypoint: ['/usr/bin/local-path-provisioner'],
    },
    { tags: [sandboxImages.busybox], layers: [[...busyboxFiles(applets), tmp]], command: ['sh'] },
    {
      tags: [sandboxImages.etcd],
      layers: [[program('etcd'), program('etcdctl'), program('etcdutl'), tmp]],
      entrypoint: ['/usr/local/bin/etcd'],
    },
    {
      tags: [sandboxImages.kubeControllerManager],
      layers: [[program('kube-controller-manager'), tmp]],
      entrypoint: ['/usr/local/bin/kube-controller-manager'],
    },
    {
      tags: [sandboxImages.kubeApiserver],
      layers: [[program('kube-apiserver'), tmp]],
      entrypoint: ['/usr/local/bin/kube-apiserver'],
    },
  ];
}

function busyboxFiles(applets: readonly string[]): ImageFile[] {
  const links = applets
    .filter((applet) => applet !== 'busybox')
    .map((applet) => ({ kind: 'link', path: join('/bin', applet), target: 'busybox' }) as const);
  return [{ kind: 'copy', path: '/bin/busybox', from: '/bin/busybox' }, ...links];
}

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
    const file = join(cacheDir, 'images', `${fileName(spec.tags[0])}-${key}.tar`);
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
    (name) => name.startsWith(`${fileName(spec.tags[0])}-`) && name !== basename(file),
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

function fileName(tag: string): string {
  return tag.replaceAll(/[^a-zA-Z0-9.]+/g, '-');
}

/** Imports those images that the sandbox lacks, or has in another version. Returns how many were imported. */
export async function importMissing(
  layout: SandboxLayout,
  images: readonly CachedImage[],
  signal: AbortSignal,
): Promise<number> {
  const there = new Set((await ctr(layout, ['images', 'ls', '-q'], signal)).split('\n'));
  await mkdir(layout.images, { recursive: true });
  let imported = 0;
  for (const { tags, file, key } of images) {
    const marker = join(layout.images, fileName(tags[0] ?? ''));
    const known = await readFile(marker, 'utf8').catch(() => '');
    if (known === key && tags.every((tag) => there.has(tag))) continue;
    await loadImage(layout, file, signal);
    await writeFile(marker, key);
    imported += 1;
  }
  return imported;
}

/**
 * Loads an image tar (as {@link buildImage}, `docker save` or `ctr images export` write it) into a running sandbox,
 * under the names in it. Takes 1 to 3 s; pods that start afterwards use it (with `imagePullPolicy` IfNotPresent or Never).
 *
 * **Errors** when the sandbox's containerd does not run, or the tar is no image.
 */
export async function loadImage(
  sandbox: Pick<SandboxLayout, 'name'>,
  imageTarPath: string,
  signal: AbortSignal,
): Promise<void> {
  await ctr(layoutOf(sandbox.name), ['images', 'import', imageTarPath], signal);
}

/** Runs containerd's own client inside the sandbox, in the namespace that Kubernetes uses. */
export async function ctr(layout: SandboxLayout, args: readonly string[], signal: AbortSignal): Promise<string> {
  return runCommand([...insideNamespaces(layout), 'ctr', '--namespace', 'k8s.io', ...args], {}, signal);
}
