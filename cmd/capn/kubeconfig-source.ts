import { access, readdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { layoutOf } from '#sandbox';
import { CliError } from './cli-error.ts';
import { stateFolder } from './state-folder.ts';

/** Which kubeconfig is used. `usual`: the place where kubectl looks too, or the pod's own account. */
export type KubeconfigSource =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'usual' }
  | { readonly kind: 'sandbox'; readonly path: string; readonly name: string };

/**
 * Decides which kubeconfig to use: the flag, else KUBECONFIG or ~/.kube/config, else the one of a running sandbox.
 * **Errors** `notFound` when there is none of all, `wrongUse` when several sandboxes run.
 */
export async function findKubeconfig(flag: string | undefined): Promise<KubeconfigSource> {
  if (flag !== undefined) return { kind: 'file', path: flag };
  if (await hasUsualKubeconfig()) return { kind: 'usual' };
  const names = await sandboxNames();
  const name = names.includes('default') ? 'default' : names[0];
  if (name === undefined) throw noKubeconfig();
  if (names.length > 1 && name !== 'default') throw severalSandboxes(names);
  return { kind: 'sandbox', name, path: sandboxKubeconfig(name) };
}

async function hasUsualKubeconfig(): Promise<boolean> {
  const { KUBECONFIG = '', KUBERNETES_SERVICE_HOST = '' } = process.env;
  return KUBECONFIG !== '' || KUBERNETES_SERVICE_HOST !== '' || (await exists(join(homedir(), '.kube', 'config')));
}

/** Sandboxes on this machine that have written their kubeconfig, sorted. */
async function sandboxNames(): Promise<readonly string[]> {
  const names = await readdir(join(stateFolder(), 'sandbox')).catch(() => []);
  const found = await Promise.all(names.map(async (name) => ((await exists(sandboxKubeconfig(name))) ? [name] : [])));
  return found.flat().sort();
}

function sandboxKubeconfig(name: string): string {
  return layoutOf(name).kubeconfig;
}

async function exists(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  );
}

function noKubeconfig(): CliError {
  return new CliError(
    'notFound',
    'there is no kubeconfig: no --kubeconfig, no KUBECONFIG, no ~/.kube/config, and no sandbox runs',
    'name one with --kubeconfig FILE, or start a super cluster on this machine with: capn sandbox up',
  );
}

function severalSandboxes(names: readonly string[]): CliError {
  const [first = ''] = names;
  return new CliError(
    'wrongUse',
    `several sandboxes run (${names.join(', ')}) and there is no other kubeconfig`,
    `choose one with --kubeconfig ${sandboxKubeconfig(first)}`,
  );
}
