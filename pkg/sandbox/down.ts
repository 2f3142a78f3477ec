import { existsSync } from 'node:fs';
import { rename, rm, rmdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { killAll, removeCgroups } from './clear-cgroups.ts';
import type { ComponentName } from './components.ts';
import { layoutOf, type SandboxLayout } from './layout.ts';
import { acquireLock } from './lock.ts';
import { stopProcess } from './managed-process.ts';
import { unmountBelow } from './mounts.ts';
import { forgetPlaces, markIncomplete } from './namespaces.ts';
import { pidFileOf } from './node-processes.ts';
import { preflight } from './preflight.ts';
import { runStep, type OnProgress } from './progress.ts';
import { lockName } from './up.ts';

export interface SandboxDownOptions {
  /** Default `default`. */
  readonly name?: string;
  readonly onProgress?: OnProgress;
}

/** The kubelet first, lest it starts again what we end; etcd last, lest others complain about it. */
const stopOrder = [
  'kubelet',
  'kube-proxy',
  'forwarder',
  'kube-scheduler',
  'kube-controller-manager',
  'containerd',
  'kube-apiserver',
  'etcd',
] as const satisfies readonly ComponentName[];

/**
 * Takes a sandbox down, with everything that it had: processes, containers, mounts, network, cgroups, data. The cache of
 * programs and images stays. Says whether there was anything. Works on half-made and half-removed sandboxes too.
 *
 * **Errors** when something cannot be removed; what is left is named, and `down` can be called again.
 */
export async function sandboxDown(options: SandboxDownOptions, signal: AbortSignal): Promise<boolean> {
  const layout = layoutOf(options.name);
  if (!existsSync(layout.dir) && !existsSync(layout.trash)) return false;
  await preflight();
  await using _lock = await acquireLock(lockName(layout), {}, signal);
  await runStep(`Sandbox ${layout.name} removed`, options.onProgress, async () => {
    markIncomplete(layout);
    for (const name of stopOrder) await stopProcess(pidFileOf(layout, name), { graceMs: 2000 }, signal);
    // Containers and shims: the cgroup knows them all, whether or not containerd still did.
    await killAll(layout.cgroup, {}, signal);
    // With the last process and these mounts the namespaces end, and with them all that was mounted or configured inside.
    await unmountBelow(layout.dir, signal);
    await removeCgroups(layout.cgroup, signal);
    forgetPlaces(layout);
    await removeFolder(layout);
    return undefined;
  });
  return true;
}

/** Removes the sandbox's folder, and those above it that nothing else needs. */
async function removeFolder({ dir, trash }: SandboxLayout): Promise<void> {
  await rm(trash, { recursive: true, force: true });
  if (existsSync(dir)) await rename(dir, trash);
  await rm(trash, { recursive: true, force: true });
  for (const parent of [dirname(dir), dirname(dirname(dir))]) await rmdir(parent).catch(() => undefined);
}
