import { existsSync, readFileSync, readdirSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { findHierarchies, type CgroupHierarchies } from './cgroups.ts';
import { pollUntil } from './poll-until.ts';

/** Process ids in the sandbox's cgroup and all below it, in the tracking hierarchy. */
function processesIn(name: string, hierarchies: CgroupHierarchies): number[] {
  return foldersBelow(join(hierarchies.tracking, name)).flatMap((folder) =>
    readIfThere(join(folder, 'cgroup.procs'))
      .split('\n')
      .filter((line) => line !== '')
      .map(Number),
  );
}

/**
 * Kills whatever runs in the sandbox's cgroup (pods, shims, strays), except `spare`, and waits until it is gone.
 * Membership says that a process is ours, so no name has to be guessed.
 */
export async function killAll(
  name: string,
  { spare = [] }: { readonly spare?: readonly number[] },
  signal: AbortSignal,
): Promise<void> {
  const hierarchies = findHierarchies();
  const attempt = (): true | undefined => {
    const left = processesIn(name, hierarchies).filter((pid) => pid > 0 && !spare.includes(pid));
    for (const pid of left) killIfThere(pid);
    return left.length === 0 ? true : undefined;
  };
  await pollUntil(attempt, { what: `the processes in cgroup ${name} end`, timeoutMs: 30_000, intervalMs: 50 }, signal);
}

/** Removes the (empty) cgroup and those below it in every hierarchy. */
export async function removeCgroups(name: string, signal: AbortSignal): Promise<void> {
  for (const hierarchy of findHierarchies().all) {
    const attempt = (): true | undefined =>
      foldersBelow(join(hierarchy, name)).toReversed().every(removed) ? true : undefined;
    await pollUntil(attempt, { what: `cgroup ${join(hierarchy, name)} can be removed`, timeoutMs: 15_000 }, signal);
  }
}

/** The folder and all below it, parents first; nothing if it isn't there. */
function foldersBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const below = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return [folder, ...below.flatMap((entry) => foldersBelow(join(folder, entry.name)))];
}

function removed(folder: string): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch {
    return !existsSync(folder);
  }
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended by itself meanwhile.
  }
}
