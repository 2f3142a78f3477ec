import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type GeneratedFile, saysGenerated } from './generated-file.ts';

/** A folder that generated files go to. `mixed` ones hold pages that people write, too. */
export interface GeneratedFolder {
  readonly path: string;
  readonly holds: 'generated' | 'mixed';
}

/** What a check or a write found, by path. */
export interface Differences {
  readonly missing: readonly string[];
  readonly different: readonly string[];
  /** In the folder, but not written from code (any more). */
  readonly stray: readonly string[];
}

/** Compares the files on disk below `root` with what they should be. Reads only. */
export async function compareFiles(
  root: string,
  folders: readonly GeneratedFolder[],
  files: readonly GeneratedFile[],
): Promise<Differences> {
  const states = await Promise.all(
    files.map(async ({ path, text }) => ({ path, text, found: await readText(join(root, path)) })),
  );
  const wanted = new Set(files.map(({ path }) => path));
  const strays = await Promise.all(folders.map(async (folder) => await straysIn(root, folder, wanted)));
  return {
    missing: states.filter(({ found }) => found === undefined).map(({ path }) => path),
    different: states.filter(({ found, text }) => found !== undefined && found !== text).map(({ path }) => path),
    stray: strays.flat(),
  };
}

/** Makes the files on disk what they should be: writes what differs, removes strays. Answers with what it changed. */
export async function writeFiles(
  root: string,
  folders: readonly GeneratedFolder[],
  files: readonly GeneratedFile[],
): Promise<Differences> {
  const differences = await compareFiles(root, folders, files);
  const changed = new Set([...differences.missing, ...differences.different]);
  for (const { path, text } of files.filter((file) => changed.has(file.path))) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  for (const path of differences.stray) await rm(join(root, path));
  return differences;
}

async function straysIn(root: string, { path, holds }: GeneratedFolder, wanted: ReadonlySet<string>) {
  const entries = await readdir(join(root, path), { withFileTypes: true }).catch(missingAs([]));
  const others = entries
    .filter((entry) => entry.isFile())
    .map(({ name }) => `${path}/${name}`)
    .filter((file) => !wanted.has(file))
    .sort();
  if (holds === 'generated') return others;
  const texts = await Promise.all(others.map(async (file) => await readFile(join(root, file), 'utf8')));
  return others.filter((_, at) => saysGenerated(texts[at] ?? ''));
}

async function readText(path: string): Promise<string | undefined> {
  return await readFile(path, 'utf8').catch(missingAs(undefined));
}

/** An error handler that answers with `value` for what is not there, and throws everything else. */
function missingAs<T>(value: T): (error: NodeJS.ErrnoException) => T {
  return (error) => {
    if (error.code === 'ENOENT') return value;
    throw error;
  };
}
