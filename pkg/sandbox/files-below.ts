import { readdir, readlink, stat } from 'node:fs/promises';
import { join, posix } from 'node:path';
import type { ImageFile } from './image-tar.ts';

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
