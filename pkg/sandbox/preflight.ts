import { access, constants } from 'node:fs/promises';
import { join } from 'node:path';

/** Where the sandbox's programs look for commands, whatever the caller's PATH says. */
export const systemPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** Debian package → a file that proves that it is there; a bare name is looked up in {@link systemPath}. */
const neededPackages = {
  containerd: 'containerd',
  runc: 'runc',
  'containernetworking-plugins': '/usr/lib/cni/bridge',
  iptables: 'iptables',
  nftables: 'nft',
  conntrack: 'conntrack',
  iproute2: 'ip',
  'busybox-static': '/bin/busybox',
  'util-linux': 'nsenter',
  mount: 'mount',
} as const;

/** What the check looks at, so that a test can say what a machine is like. */
export interface Machine {
  /** As Node names it: `linux`. */
  readonly platform: string;
  /** As Node names it: `x64`. */
  readonly arch: string;
  readonly userId: number;
  /** Whether a file (absolute) or a command (bare name) is there. */
  has(fileOrCommand: string): Promise<boolean>;
}

/**
 * Checks that a sandbox can run on this machine. Go is asked for only when something has to be built.
 *
 * **Errors** one message that names everything that is missing and says exactly what to run.
 */
export async function preflight(machine: Machine = thisMachine): Promise<void> {
  const { platform, arch, userId } = machine;
  if (platform !== 'linux') {
    throw new Error(
      `the sandbox runs on Linux only (network namespaces, containerd, kubelet), and this is ${platform}: use a Linux machine or virtual machine`,
    );
  }
  if (arch !== 'x64') {
    throw new Error(
      `the sandbox runs on x86-64 only (nothing of it was ever built or tried on another processor), and this is ${arch}: use an x86-64 machine or virtual machine`,
    );
  }
  if (userId !== 0) {
    throw new Error(
      'the sandbox needs root (network namespaces, mounts, cgroups): run the same command as root, for example with sudo',
    );
  }
  const rows = await Promise.all(
    Object.entries(neededPackages).map(async ([name, proof]) => ((await machine.has(proof)) ? [] : [name])),
  );
  const lacking = rows.flat();
  if (lacking.length > 0) {
    throw new Error(
      `the sandbox needs Debian packages that are not installed; run: apt-get update && apt-get install -y --no-install-recommends ${lacking.join(' ')}`,
    );
  }
}

const thisMachine: Machine = {
  platform: process.platform,
  arch: process.arch,
  userId: process.getuid?.() ?? -1,
  async has(fileOrCommand) {
    const places = fileOrCommand.startsWith('/') ? [''] : systemPath.split(':');
    const found = await Promise.all(places.map((place) => isExecutable(join(place, fileOrCommand))));
    return found.includes(true);
  },
};

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
