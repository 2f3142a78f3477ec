import { chmod, cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** The repository's root. */
export const root = fileURLToPath(new URL('../..', import.meta.url));

/** Where bundles go. */
const distFolder = join(root, 'dist');

/** What is bundled: the file that it starts from, and its name in `dist/`. */
export const bundles = {
  manager: { entry: 'cmd/manager/main.ts', file: 'manager.mjs' },
  capn: { entry: 'cmd/capn/main.ts', file: 'capn.mjs' },
  // The sandbox starts these two by their names beside it, as they are called in the sources.
  sandboxForwarder: { entry: 'pkg/sandbox/forwarder-main.ts', file: 'forwarder-main.ts' },
  sandboxProbe: { entry: 'pkg/sandbox/probe-main.ts', file: 'probe-main.ts' },
} as const satisfies Record<string, { readonly entry: string; readonly file: string }>;

export type BundleName = keyof typeof bundles;

/** CommonJS dependencies call `require` for Node's own modules. */
const banner = `import { createRequire as createRequireOfBundle } from 'node:module';
const require = createRequireOfBundle(import.meta.url);`;

/**
 * Bundles programs into `folder`, each into one file with its source map beside it. Returns the files' paths.
 * **Guarantees** the same sources give the same bytes, wherever the repository lies.
 * **Errors** esbuild's, with file and line.
 */
export async function bundlePrograms(names: readonly BundleName[], folder = distFolder): Promise<readonly string[]> {
  await mkdir(folder, { recursive: true });
  const files = await Promise.all(names.map(async (name) => await bundleOne(name, folder)));
  if (names.includes('capn')) await cp(join(root, 'pkg/sandbox/modules'), join(folder, 'modules'), { recursive: true });
  return files;
}

async function bundleOne(name: BundleName, folder: string): Promise<string> {
  const { entry, file } = bundles[name];
  const outfile = join(folder, file);
  await build({
    absWorkingDir: root,
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    banner: { js: banner },
    sourcemap: 'linked',
    // Stack traces need places, not a second copy of the sources.
    sourcesContent: false,
    minify: false,
    logLevel: 'silent',
    // Only for pretty logs of developers, loaded when asked for.
    external: ['pino-pretty'],
  });
  await chmod(outfile, 0o755);
  return outfile;
}
