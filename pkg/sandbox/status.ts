import { existsSync } from 'node:fs';
import { componentNames, healthUrls, type ComponentName } from './components.ts';
import { binaryPath } from './ensure-binaries.ts';
import { cacheFolder, layoutOf, type SandboxLayout } from './layout.ts';
import { namespacesStand } from './namespaces.ts';
import { findComponent } from './node-processes.ts';
import { probe } from './probe.ts';
import { readRecord } from './record.ts';

export interface ComponentStatus {
  /** `unhealthy`: it runs, but does not say that it is well. */
  readonly state: 'running' | 'unhealthy' | 'stopped';
  readonly pid?: number;
  /** What is wrong, when something is. */
  readonly detail?: string;
}

export interface SandboxInfo {
  readonly name: string;
  /** `up`: all components run and are well; `partial`: `up` repairs it; `down`: there is nothing. */
  readonly state: 'up' | 'partial' | 'down';
  readonly dir: string;
  /** Kubeconfig of an administrator; its server can be reached from this machine only. */
  readonly kubeconfig: string;
  /** `https://127.0.0.1:<port>`; absent as long as no port is recorded. */
  readonly server?: string;
  /** kubectl of the cluster's version. */
  readonly kubectl: string;
  /** For `nsenter --net=`: pods, Services and the node are reachable from there. */
  readonly netns: string;
  readonly nodeName: string;
  readonly components: Readonly<Record<ComponentName, ComponentStatus>>;
}

/** Looks at a sandbox (default `default`) without changing it. */
export async function sandboxStatus(options: { readonly name?: string }, signal: AbortSignal): Promise<SandboxInfo> {
  const layout = layoutOf(options.name);
  const record = readRecord(layout);
  const components = await componentStatuses(layout, signal);
  return {
    name: layout.name,
    state: overallState(layout, Object.values(components)),
    dir: layout.dir,
    kubeconfig: layout.kubeconfig,
    ...(record === undefined ? {} : { server: `https://127.0.0.1:${record.port}` }),
    kubectl: binaryPath('kubectl', cacheFolder()),
    netns: layout.netns,
    nodeName: layout.nodeName,
    components,
  };
}

function overallState(layout: SandboxLayout, components: readonly ComponentStatus[]): SandboxInfo['state'] {
  if (!existsSync(layout.dir)) return 'down';
  return components.every((component) => component.state === 'running') ? 'up' : 'partial';
}

async function componentStatuses(
  layout: SandboxLayout,
  signal: AbortSignal,
): Promise<Record<ComponentName, ComponentStatus>> {
  const answers: Readonly<Partial<Record<ComponentName, string | null>>> = namespacesStand(layout)
    ? await probe(layout, { urls: healthUrls, timeoutMs: 0 }, signal)
    : {};
  const rows = componentNames.map((name) => [name, componentStatus(layout, name, answers[name] ?? null)] as const);
  return Object.fromEntries(rows) as Record<ComponentName, ComponentStatus>;
}

function componentStatus(layout: SandboxLayout, name: ComponentName, problem: string | null): ComponentStatus {
  const found = findComponent(layout, name);
  if (found === undefined) return { state: 'stopped' };
  return problem === null
    ? { state: 'running', pid: found.pid }
    : { state: 'unhealthy', pid: found.pid, detail: problem };
}
