import { healthUrls, type ComponentName } from './components.ts';
import { writeKubeconfig } from './kubeconfig.ts';
import type { SandboxLayout } from './layout.ts';
import { ensureForwarder, ensureProcess, logFileOf, processSpec } from './node-processes.ts';
import { probe } from './probe.ts';
import { kubectl, type Scope } from './up-scope.ts';

/** The step that starts what the cluster cannot be reached without (and containerd, which images are loaded into). */
export async function startControlPlane(scope: Scope, signal: AbortSignal): Promise<string | undefined> {
  const { layout, commands } = scope;
  const started = await ensureComponents(scope, ['etcd', 'kube-apiserver', 'containerd'], signal);
  const spec = processSpec(layout, 'forwarder', commands.forwarder);
  const port = await ensureForwarder(layout, { spec, port: scope.port }, signal);
  writeKubeconfig(layout, { path: layout.kubeconfig, server: `https://127.0.0.1:${port}`, user: 'admin' });
  await requireHealthy(layout, ['etcd', 'kube-apiserver'], signal);
  return started;
}

/** The step that starts everything else and waits until the node is ready. */
export async function startNode(scope: Scope, signal: AbortSignal): Promise<string | undefined> {
  const names = ['kube-controller-manager', 'kube-scheduler', 'kube-proxy', 'kubelet'] as const;
  const started = await ensureComponents(scope, names, signal);
  await requireHealthy(scope.layout, names, signal);
  await kubectl(scope, ['wait', '--for=condition=Ready', `node/${scope.layout.nodeName}`, '--timeout=120s'], signal);
  return started;
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
