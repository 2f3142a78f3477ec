import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { posix } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Header, Pack } from 'tar-stream';

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

/** Adds the files in the order given and ends the archive. **Errors** end it too, broken. */
export async function addAll(tar: Pack, files: readonly ImageFile[]): Promise<void> {
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
export function withParents(files: readonly ImageFile[]): ImageFile[] {
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
