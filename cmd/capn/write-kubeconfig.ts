import { mkdir, open, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { CliError } from './cli-error.ts';
import { kubeconfigText, type TenantKubeconfig } from './connection/tenant-kubeconfig.ts';
import { mergeKubeconfig, type Merged } from './merge-kubeconfig.ts';

/** The file that `--merge` adds to: the first that exists in KUBECONFIG, else its last; else ~/.kube/config (as kubectl does). */
export async function userKubeconfigFile(env: NodeJS.ProcessEnv = process.env): Promise<string> {
  const files = (env['KUBECONFIG'] ?? '').split(delimiter).filter((file) => file !== '');
  for (const file of files) if ((await modeOf(file)) !== undefined) return file;
  return files.at(-1) ?? join(homedir(), '.kube', 'config');
}

/**
 * Adds a tenant's entries to a kubeconfig file, which is made if it is not there (mode 600; an existing one keeps its mode).
 * **Guarantees** the file is replaced as a whole or not at all; kubectl does not write to it meanwhile (it heeds the same lock file).
 * **Errors** those of `mergeKubeconfig`; `refused` when another program holds the lock.
 */
export async function mergeIntoFile(
  file: string,
  addition: TenantKubeconfig,
  force: boolean,
): Promise<Merged['change']> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const target = await realpath(file).catch(() => file);
  await using _lock = await lockFile(`${target}.lock`);
  const text = await readFile(target, 'utf8').catch(emptyIfMissing);
  const merged = mergeKubeconfig(text, addition, { file, force });
  if (merged.change === 'changed') await replaceFile(target, merged.text, (await modeOf(target)) ?? 0o600);
  return merged.change;
}

/**
 * Writes a tenant's kubeconfig to a file of its own, readable by its owner only. One that is there already is replaced
 * if it is this tenant's (same context and authority) or `force` is set.
 * **Errors** `refused` otherwise.
 */
export async function writeOwnFile(file: string, kubeconfig: TenantKubeconfig, force: boolean): Promise<void> {
  const existing = await readFile(file, 'utf8').catch(emptyIfMissing);
  const authority = kubeconfig.clusters[0]?.cluster['certificate-authority-data'] ?? '';
  if (existing.trim() !== '' && !force && !(authority !== '' && existing.includes(authority))) {
    throw new CliError(
      'refused',
      `${file} is there already and holds something else`,
      'choose another file, or replace it with --force',
    );
  }
  await mkdir(dirname(file), { recursive: true });
  await replaceFile(file, kubeconfigText(kubeconfig), 0o600);
}

async function replaceFile(file: string, text: string, mode: number): Promise<void> {
  const draft = `${file}.capn-${process.pid}`;
  await writeFile(draft, text, { mode });
  await rename(draft, file);
}

async function lockFile(path: string): Promise<AsyncDisposable> {
  try {
    await (await open(path, 'wx', 0o600)).close();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new CliError(
      'refused',
      `another program is changing the kubeconfig: ${path} is there`,
      'try again; if no other program runs, remove that file',
    );
  }
  return { [Symbol.asyncDispose]: async () => await rm(path, { force: true }) };
}

async function modeOf(file: string): Promise<number | undefined> {
  return await stat(file).then(
    ({ mode }) => mode & 0o777,
    () => undefined,
  );
}

function emptyIfMissing(error: NodeJS.ErrnoException): string {
  if (error.code === 'ENOENT') return '';
  throw error;
}
