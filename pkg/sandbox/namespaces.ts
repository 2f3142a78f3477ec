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

/**
 * Settings of the whole machine that a kubelet writes when it starts, each with the value that it wants. Inside the
 * sandbox's mount namespace a file of ours stands in their place, so the kubelet is content and the machine unchanged.
 */
const coveredSettings = {
  'vm/overcommit_memory': '1',
  'vm/panic_on_oom': '0',
  'kernel/panic': '10',
  'kernel/panic_on_oops': '1',
  'kernel/keys/root_maxkeys': '1000000',
  'kernel/keys/root_maxbytes': '25000000',
} as const;

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
  await requireBridgeFilter(signal);
  for (const folder of [namespaces, layout.kubelet, layout.podLogs, ...Object.keys(coveredPlaces)]) {
    mkdirSync(folder, { recursive: true });
  }
  // A mount namespace can only be bound below a private mount (mount_namespaces(7)).
  await runCommand(['mount', '--bind', namespaces, namespaces], {}, signal);
  await runCommand(['mount', '--make-private', namespaces], {}, signal);
  for (const file of [netns, mountns]) writeFileSync(file, '');
  for (const [setting, value] of Object.entries(coveredSettings)) writeFileSync(settingFile(layout, setting), value);
  await runCommand(
    ['unshare', `--net=${netns}`, `--mount=${mountns}`, '--propagation=slave', 'sh', '-ec', setupScript(layout)],
    {},
    signal,
  );
  writeFileSync(readyFile(layout), currentBootId());
}

/**
 * A pod that calls a Service whose pod is on the same bridge gets its answer from the wrong address unless bridged
 * packets pass through connection tracking, which is a kernel module that a fresh machine may not have loaded.
 */
async function requireBridgeFilter(signal: AbortSignal): Promise<void> {
  if (existsSync('/proc/sys/net/bridge')) return;
  await runCommand(['modprobe', 'br_netfilter'], {}, signal).catch((error: unknown) => {
    signal.throwIfAborted();
    const advice = 'run: modprobe br_netfilter (package kmod), on a kernel that has it';
    throw new Error(`the sandbox needs the kernel module br_netfilter, and it cannot be loaded; ${advice}`, {
      cause: error,
    });
  });
}

/** Runs inside the new namespaces. */
function setupScript(layout: SandboxLayout): string {
  const covers = Object.entries(coveredPlaces).map(([place, cover]) =>
    cover === 'memory' ? `mount -t tmpfs -o mode=755 tmpfs ${place}` : bindAlone(layout[cover], place),
  );
  const settings = Object.keys(coveredSettings).map(
    (setting) => `mount --bind '${settingFile(layout, setting)}' /proc/sys/${setting}`,
  );
  return [
    'ip link set lo up',
    `ip address add ${addresses.node}/32 dev lo`,
    // Without it ClusterIPs answer to pods only, not to connections from the node itself.
    `ip route add ${addresses.serviceRange} dev lo src ${addresses.node}`,
    'echo 1 > /proc/sys/net/ipv4/ip_forward',
    'echo 1 > /proc/sys/net/bridge/bridge-nf-call-iptables',
    // Pods may ask for mount propagation. The machine's mounts come in (slave), ours do not go out.
    'mount --make-rshared /',
    ...covers,
    ...settings,
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

function settingFile(layout: SandboxLayout, setting: string): string {
  return join(layout.namespaces, setting.replaceAll('/', '.'));
}

function readyFile(layout: SandboxLayout): string {
  return join(layout.namespaces, 'ready');
}
