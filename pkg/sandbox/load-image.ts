import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { imageFileName, type CachedImage } from './images.ts';
import { layoutOf, type SandboxLayout } from './layout.ts';
import { insideNamespaces } from './namespaces.ts';
import { runCommand } from './run-command.ts';

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
    const marker = join(layout.images, imageFileName(tags[0] ?? ''));
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
