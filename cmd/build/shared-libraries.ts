import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** glibc loads these by name when it resolves host names; a program does not list them (glibc before 2.34 needs them). */
const loadedByName = ['libnss_dns.so.2', 'libnss_files.so.2', 'libresolv.so.2'];

/**
 * Absolute paths of the shared libraries that a program needs, the dynamic loader among them.
 * **Errors** when `ldd` is missing or finds a library missing.
 */
export async function sharedLibraries(program: string): Promise<readonly string[]> {
  const { stdout } = await run('ldd', [program]);
  const libraries = parseLdd(stdout);
  const libc = libraries.find((path) => path.includes('/libc.so'));
  const further = libc === undefined ? [] : loadedByName.map((name) => join(dirname(libc), name)).filter(existsSync);
  return [...new Set([...libraries, ...further])];
}

/** The paths in what `ldd` prints; none for a static program. **Errors** naming what is not found. Pure. */
export function parseLdd(text: string): readonly string[] {
  const missing = [...text.matchAll(/^\s*(\S+) => not found/gm)].map(([, name]) => name);
  if (missing.length > 0) throw new Error(`shared libraries are missing on this machine: ${missing.join(', ')}`);
  return [...text.matchAll(/^\s*(?:\S+ => )?(\/\S+) \(0x[0-9a-f]+\)$/gm)].map(([, path = '']) => path);
}
