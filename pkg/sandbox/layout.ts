import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** Where one sandbox keeps everything that it has; all of it lies under `dir`, so that removing `dir` leaves nothing. */
export interface SandboxLayout {
  readonly name: string;
  readonly dir: string;
  /** What `dir` becomes, in one step, before it is deleted: a half-deleted sandbox is never taken for one. */
  readonly trash: string;
  /** For people and tests: the server in it is the forwarder's address on the host. */
  readonly kubeconfig: string;
  /** What has to be remembered between runs (`record.ts`). */
  readonly record: string;
  /** Bind-mounted namespaces: network and mounts. */
  readonly netns: string;
  readonly mountns: string;
  readonly namespaces: string;
  readonly certificates: string;
  /** Configuration files and kubeconfigs of the components. */
  readonly config: string;
  readonly pids: string;
  readonly logs: string;
  readonly etcd: string;
  readonly containerd: string;
  /** What the node sees as /var/lib/kubelet and /var/log/pods. */
  readonly kubelet: string;
  readonly podLogs: string;
  /** Data of PersistentVolumes. */
  readonly volumes: string;
  /** Which version of each image was imported. */
  readonly images: string;
  /** The cgroup of this name, below the root of every hierarchy, holds daemons and pods. */
  readonly cgroup: string;
  readonly nodeName: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The folder of downloaded and built things, shared by all sandboxes: `CAPN_CACHE_DIR`, or the XDG cache folder's `capn`. */
export function cacheFolder(env: Environment = process.env): string {
  return resolve(env['CAPN_CACHE_DIR'] ?? join(env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'capn'));
}

/** The folder that holds one folder a sandbox: below `CAPN_STATE_DIR`, or below the XDG state folder's `capn`. */
function sandboxesFolder(env: Environment = process.env): string {
  const state = env['CAPN_STATE_DIR'] ?? join(env['XDG_STATE_HOME'] ?? join(homedir(), '.local', 'state'), 'capn');
  return resolve(state, 'sandbox');
}

/**
 * All paths and names of the sandbox `name` (default `default`). Touches nothing.
 *
 * **Errors** a name that is no DNS label of at most 30 characters: it becomes part of file, cgroup and node names.
 */
export function layoutOf(name = 'default', env: Environment = process.env): SandboxLayout {
  if (!/^[a-z]([-a-z0-9]{0,28}[a-z0-9])?$/.test(name)) {
    throw new Error(
      `sandbox name '${name}': use at most 30 lower case letters, digits and dashes, starting with a letter and ending with a letter or digit`,
    );
  }
  const dir = join(sandboxesFolder(env), name);
  const below = (...parts: string[]): string => join(dir, ...parts);
  return {
    name,
    dir,
    trash: join(sandboxesFolder(env), `.removing-${name}`),
    kubeconfig: below('kubeconfig'),
    record: below('sandbox.json'),
    namespaces: below('ns'),
    netns: below('ns', 'net'),
    mountns: below('ns', 'mnt'),
    certificates: below('certificates'),
    config: below('config'),
    pids: below('pids'),
    logs: below('logs'),
    etcd: below('etcd'),
    containerd: below('containerd'),
    kubelet: below('kubelet'),
    podLogs: below('pod-logs'),
    volumes: below('volumes'),
    images: below('images'),
    cgroup: `capn-${name}`,
    nodeName: `capn-${name}`,
  };
}
