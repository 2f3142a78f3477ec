import { existsSync, mkdirSync, readFileSync, rmdirSync, rmSync, writeFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { addresses } from './addresses.ts';
import { findHierarchies } from './cgroups.ts';
import type { SandboxLayout } from './layout.ts';
import { mountsBelow } from './mounts.ts';
import { currentBootId } from './process-identity.ts';
import { runCommand } from './run-command.ts';

/**
 * Places that containerd, the kubelet and CNI plugins use whatever they are told (sockets, results, log links). Inside
 * the sandbox's mount namespace each is covered: by memory that goes away with the namespace, or by a folder of ours.
 */
const coveredPlaces = {
  '/run/containerd': 'memory',
  '/var/lib/cni': 'memory',
  '/var/log/containers': 'memory',
  '/var/lib/kubelet': 'kubelet',
  '/var/log/pods': 'podLogs',
} as const satisfies Record<string, 'memory' | keyof SandboxLayout>;

/** The prefix that makes a command run inside the sandbox's network and mount namespaces. */
export function insideNamespaces(layout: SandboxLayout): ['nsenter', ...string[]] {
  return ['nsenter', `--net=${layout.netns}`, `--mount=${layout.mountns}`, '--'];
}

/** Whether the namespaces stand, complete and since this boot. */
export function namespacesStand(layout: SandboxLayout): boolean {
  const mounted = new Set(mountsBelow(layout.namespaces));
  const ready = readyFile(layout);
  return (
    mounted.has(layout.netns) &&
    mounted.has(layout.mountns) &&
    existsSync(ready) &&
    readFileSync(ready, 'utf8') === currentBootId()
  );
}

/**
 * Makes the namespaces, held by bind mounts under the sandbox's own folder. (`ip netns add` would make /run/netns a
 * shared mount, which disturbs containerds that already run on the machine.) Nothing of an earlier try may stand.
 */
export async function createNamespaces(layout: SandboxLayout, signal: AbortSignal): Promise<void> {
  const { namespaces, netns, mountns } = layout;
  for (const folder of [namespaces, layout.kubelet, layout.podLogs, ...Object.keys(coveredPlaces)]) {
    mkdirSync(folder, { recursive: true });
  }
  // A mount namespace can only be bound below a private mount (mount_namespaces(7)).
  await runCommand(['mount', '--bind', namespaces, namespaces], {}, signal);
  await runCommand(['mount', '--make-private', namespaces], {}, signal);
  for (const file of [netns, mountns]) writeFileSync(file, '');
  await runCommand(
    ['unshare', `--net=${netns}`, `--mount=${mountns}`, '--propagation=slave', 'sh', '-ec', setupScript(layout)],
    {},
    signal,
  );
  writeFileSync(readyFile(layout), currentBootId());
}

/** Runs inside the new namespaces. */
function setupScript(layout: SandboxLayout): string {
  const covers = Object.entries(coveredPlaces).map(([place, cover]) =>
    cover === 'memory' ? `mount -t tmpfs -o mode=755 tmpfs ${place}` : bindAlone(layout[cover], place),
  );
  return [
    'ip link set lo up',
    `ip address add ${addresses.node}/32 dev lo`,
    // Without it ClusterIPs answer to pods only, not to connections from the node itself.
    `ip route add ${addresses.serviceRange} dev lo src ${addresses.node}`,
    'echo 1 > /proc/sys/net/ipv4/ip_forward',
    // Pods may ask for mount propagation. The machine's mounts come in (slave), ours do not go out.
    'mount --make-rshared /',
    ...covers,
  ].join('\n');
}

/** Binds a folder as a mount of its own: what is mounted in it later shows at the new place only. */
function bindAlone(folder: string, place: string): string {
  return `mount --bind '${folder}' ${place}; mount --make-private ${place}; mount --make-shared ${place}`;
}

/**
 * Lets go of the namespaces (with their last process they vanish, and with them interfaces, nftables rules and mounts)
 * and removes the empty folders that {@link createNamespaces} may have made outside the sandbox's folder.
 */
export function forgetPlaces(layout: SandboxLayout): void {
  const cgroups = readdirSync(findHierarchies().tracking);
  // Removing a folder takes away what is mounted on it in other namespaces: not while another sandbox stands.
  if (cgroups.some((name) => name.startsWith('capn-') && name !== layout.cgroup)) return;
  for (const place of Object.keys(coveredPlaces)) {
    try {
      rmdirSync(place);
    } catch {
      // Not empty, so somebody else's; or gone already.
    }
  }
}

/** Marks the namespaces as not standing, so that an interrupted tear-down is recognised. */
export function markIncomplete(layout: SandboxLayout): void {
  rmSync(readyFile(layout), { force: true });
}

function readyFile(layout: SandboxLayout): string {
  return join(layout.namespaces, 'ready');
}
