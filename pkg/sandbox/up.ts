import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { addOnDeployments, addOnObjects } from './add-ons.ts';
import { addresses } from './addresses.ts';
import { allPrograms, type Program } from './binaries.ts';
import { ensureCertificates } from './certificates.ts';
import { ensureCgroups, findHierarchies, killAll } from './cgroups.ts';
import { componentCommands, componentNames, healthUrls, kubeconfigUsers, type ComponentName } from './components.ts';
import { ensureBinaries } from './ensure-binaries.ts';
import { ctr, ensureImages, importMissing } from './images.ts';
import { writeKubeconfig } from './kubeconfig.ts';
import { cacheFolder, layoutOf, type SandboxLayout } from './layout.ts';
import { acquireLock } from './lock.ts';
import { stopProcess } from './managed-process.ts';
import { unmountBelow } from './mounts.ts';
import { createNamespaces, markIncomplete, namespacesStand } from './namespaces.ts';
import { nodeConfigFiles } from './node-config.ts';
import { ensureForwarder, ensureProcess, logFileOf, pidFileOf, processSpec } from './node-processes.ts';
import { pollUntil } from './poll-until.ts';
import { preflight } from './preflight.ts';
import { probe } from './probe.ts';
import { runStep, type OnProgress } from './progress.ts';
import { runCommand } from './run-command.ts';
import { sandboxStatus, type SandboxInfo } from './status.ts';

export interface SandboxUpOptions {
  /** Default `default`. */
  readonly name?: string;
  /** Port of the API server on 127.0.0.1; default: the one it had, or a free one. */
  readonly port?: number;
  readonly onProgress?: OnProgress;
}

/** All that the steps of `up` need to know. */
interface Scope {
  readonly layout: SandboxLayout;
  readonly paths: Readonly<Record<Program, string>>;
  readonly commands: Readonly<Record<ComponentName, readonly string[]>>;
  readonly port: number | undefined;
}

/**
 * Brings the sandbox up, or finds what is up and repairs the rest: what runs as wanted is left alone, so a second call
 * ends in seconds, and a call after an interruption (or after any program was killed) goes on from there.
 * Returns once the node is ready, DNS answers and storage provisions.
 *
 * **Errors** what {@link preflight} says; a failed build; a component that does not become healthy (the message names
 * its log file); a taken port.
 * **Guarantees** one `up` or `down` of a sandbox at a time; others wait.
 */
export async function sandboxUp(options: SandboxUpOptions, signal: AbortSignal): Promise<SandboxInfo> {
  const { onProgress, port } = options;
  const layout = layoutOf(options.name);
  await preflight();
  const paths = await ensureBinaries(
    { programs: allPrograms, ...(onProgress === undefined ? {} : { onProgress }) },
    signal,
  );
  await using _lock = await acquireLock(lockName(layout), {}, signal);
  const scope = { layout, paths, commands: componentCommands(layout, paths), port };
  for (const [title, step] of Object.entries(steps)) {
    await runStep(title, onProgress, () => step(scope, signal));
  }
  return sandboxStatus({ name: layout.name }, signal);
}

/** One name for `up` and `down` of a sandbox. */
export function lockName(layout: SandboxLayout): string {
  return `sandbox ${layout.dir}`;
}

type Step = (scope: Scope, signal: AbortSignal) => Promise<string | undefined>;

/** In order; each finds out by itself whether there is something to do, and says so. */
const steps = {
  'Network, mounts and cgroups': ensureNode,
  'Certificates and configuration': ensureConfiguration,
  'Control plane (etcd, kube-apiserver)': startControlPlane,
  'Container images': ensureContainerImages,
  'Node (containerd, kubelet, kube-proxy)': startNode,
  'Cluster DNS and storage': ensureAddOns,
} satisfies Record<string, Step>;

async function ensureNode({ layout }: Scope, signal: AbortSignal): Promise<string | undefined> {
  if (namespacesStand(layout)) {
    ensureCgroups(layout.cgroup, findHierarchies());
    return 'already there';
  }
  await clearRemains(layout, signal);
  ensureCgroups(layout.cgroup, findHierarchies());
  await createNamespaces(layout, signal);
  return undefined;
}

/** Without its namespaces (after a reboot, or an interrupted `up` or `down`) nothing that still runs is of use. */
async function clearRemains(layout: SandboxLayout, signal: AbortSignal): Promise<void> {
  markIncomplete(layout);
  for (const name of componentNames) await stopProcess(pidFileOf(layout, name), { graceMs: 0 }, signal);
  await killAll(layout.cgroup, {}, signal);
  await unmountBelow(layout.dir, signal);
}

async function ensureConfiguration({ layout }: Scope): Promise<string | undefined> {
  const isNew = !existsSync(layout.config);
  await ensureCertificates(layout);
  mkdirSync(layout.volumes, { recursive: true });
  for (const [name, content] of Object.entries(nodeConfigFiles(layout)))
    writeIfChanged(join(layout.config, name), content);
  const server = `https://127.0.0.1:${addresses.apiServerPort}`;
  for (const user of kubeconfigUsers) {
    writeKubeconfig(layout, { path: join(layout.config, `${user}.kubeconfig`), server, user });
  }
  return isNew ? undefined : 'already there';
}

function writeIfChanged(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true });
  if (!existsSync(path) || readFileSync(path, 'utf8') !== content) writeFileSync(path, content);
}

async function startControlPlane(scope: Scope, signal: AbortSignal): Promise<string | undefined> {
  const { layout, commands } = scope;
  const started = await ensureComponents(scope, ['etcd', 'kube-apiserver', 'containerd'], signal);
  const spec = processSpec(layout, 'forwarder', commands.forwarder);
  const port = await ensureForwarder(layout, { spec, port: scope.port }, signal);
  writeKubeconfig(layout, { path: layout.kubeconfig, server: `https://127.0.0.1:${port}`, user: 'admin' });
  await requireHealthy(layout, ['etcd', 'kube-apiserver'], signal);
  return started;
}

async function ensureContainerImages({ layout, paths }: Scope, signal: AbortSignal): Promise<string | undefined> {
  const images = await ensureImages(paths, cacheFolder(), signal);
  const what = `containerd answers (log: ${logFileOf(layout, 'containerd')})`;
  const answers = (): Promise<true | undefined> =>
    ctr(layout, ['version'], signal).then(
      () => true as const,
      () => undefined,
    );
  await pollUntil(answers, { what }, signal);
  const imported = await importMissing(layout, images, signal);
  return imported === 0 ? 'already there' : undefined;
}

async function startNode(scope: Scope, signal: AbortSignal): Promise<string | undefined> {
  const names = ['kube-controller-manager', 'kube-scheduler', 'kube-proxy', 'kubelet'] as const;
  const started = await ensureComponents(scope, names, signal);
  await requireHealthy(scope.layout, names, signal);
  await kubectl(scope, ['wait', '--for=condition=Ready', `node/${scope.layout.nodeName}`, '--timeout=120s'], signal);
  return started;
}

async function ensureAddOns(scope: Scope, signal: AbortSignal): Promise<string | undefined> {
  const list = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: addOnObjects(scope.layout) });
  await kubectl(scope, ['apply', '--server-side', '--force-conflicts', '-f', '-'], signal, list);
  for (const deployment of addOnDeployments) {
    const [namespace = '', name = ''] = deployment.split('/');
    await kubectl(scope, ['rollout', 'status', `deployment/${name}`, '-n', namespace, '--timeout=120s'], signal);
  }
  return undefined;
}

async function ensureComponents(
  { layout, commands }: Scope,
  names: readonly ComponentName[],
  signal: AbortSignal,
): Promise<string | undefined> {
  const started: string[] = [];
  for (const name of names) {
    if (await ensureProcess(processSpec(layout, name, commands[name]), signal)) started.push(name);
  }
  return started.length === 0 ? 'already running' : `started ${started.join(', ')}`;
}

async function requireHealthy(
  layout: SandboxLayout,
  names: readonly (keyof typeof healthUrls)[],
  signal: AbortSignal,
): Promise<void> {
  const urls = Object.fromEntries(names.map((name) => [name, healthUrls[name]]));
  const answers = await probe(layout, { urls, timeoutMs: 90_000 }, signal);
  const unwell = names.filter((name) => answers[name] !== null);
  if (unwell.length === 0) return;
  const lines = unwell.map((name) => `${name} is not healthy (${answers[name]}); its log: ${logFileOf(layout, name)}`);
  throw new Error(lines.join('\n'));
}

async function kubectl(
  { layout, paths }: Scope,
  args: readonly string[],
  signal: AbortSignal,
  input = '',
): Promise<string> {
  return runCommand([paths.kubectl, `--kubeconfig=${layout.kubeconfig}`, ...args], { input }, signal);
}
