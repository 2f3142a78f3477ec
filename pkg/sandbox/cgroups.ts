import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** How this machine's cgroups are mounted. */
export interface CgroupHierarchies {
  /** Mount point of every hierarchy. */
  readonly all: readonly string[];
  /** The one by which we keep track of our processes (`pids` on v1, the only one on v2). */
  readonly tracking: string;
  /** Whether the machine has the one hierarchy of v2 only. */
  readonly unified: boolean;
}

/**
 * Finds the hierarchies in the text of /proc/self/mountinfo (proc_pid_mountinfo(5)).
 *
 * **Errors** when none is mounted.
 */
export function parseHierarchies(mountinfo: string): CgroupHierarchies {
  const mounts = mountinfo.split('\n').flatMap((line) => {
    const [before = '', after = ''] = line.split(' - ');
    const [type, , options = ''] = after.split(' ');
    const path = before.split(' ')[4];
    return path !== undefined && (type === 'cgroup' || type === 'cgroup2') ? [{ path, type, options }] : [];
  });
  const unified = mounts.length > 0 && mounts.every((mount) => mount.type === 'cgroup2');
  const tracking = unified ? mounts[0] : mounts.find((mount) => mount.options.split(',').includes('pids'));
  if (tracking === undefined) throw new Error('no cgroup hierarchy (v2, or v1 with pids) is mounted on this machine');
  return { all: [...new Set(mounts.map((mount) => mount.path))], tracking: tracking.path, unified };
}

/** The hierarchies of this machine. */
export function findHierarchies(): CgroupHierarchies {
  return parseHierarchies(readFileSync('/proc/self/mountinfo', 'utf8'));
}

/**
 * Makes the cgroup `name` in every hierarchy, as the kubelet wants to find it, and one for daemons below it in the
 * tracking hierarchy. Daemons stay where they are in the others: their memory is accounted to whoever runs `up`.
 */
export function ensureCgroups(name: string, hierarchies: CgroupHierarchies): void {
  for (const hierarchy of hierarchies.all) {
    const path = join(hierarchy, name);
    mkdirSync(path, { recursive: true });
    // A v1 cpuset without cpus and mems takes no process.
    for (const file of ['cpuset.mems', 'cpuset.cpus']) {
      if (
        !hierarchies.unified &&
        existsSync(join(path, file)) &&
        readFileSync(join(path, file), 'utf8').trim() === ''
      ) {
        writeFileSync(join(path, file), readFileSync(join(hierarchy, file), 'utf8').trim());
      }
    }
  }
  if (hierarchies.unified) enableControllers(hierarchies.tracking, name);
  mkdirSync(daemonsCgroup(name, hierarchies), { recursive: true });
}

/** The cgroup of the sandbox's daemons in the tracking hierarchy. */
export function daemonsCgroup(name: string, hierarchies: CgroupHierarchies): string {
  return join(hierarchies.tracking, name, 'daemons');
}

/** On v2 a child has only the controllers that its parent hands down. */
function enableControllers(root: string, name: string): void {
  const controllers = readFileSync(join(root, 'cgroup.controllers'), 'utf8').trim().split(/\s+/);
  for (const folder of [root, join(root, name)]) {
    for (const controller of controllers) {
      try {
        writeFileSync(join(folder, 'cgroup.subtree_control'), `+${controller}`);
      } catch {
        // Some controllers cannot be handed down (or are only partly available); the kubelet names what it misses.
      }
    }
  }
}
