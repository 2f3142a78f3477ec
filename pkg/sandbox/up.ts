import { allPrograms } from './binaries.ts';
import { componentCommands } from './components.ts';
import { ensureBinaries } from './ensure-binaries.ts';
import { ensureAddOns, ensureContainerImages } from './fill-cluster.ts';
import { layoutOf, type SandboxLayout } from './layout.ts';
import { acquireLock } from './lock.ts';
import { preflight } from './preflight.ts';
import { ensureConfiguration, ensureNamespaces } from './prepare-machine.ts';
import { runStep, type OnProgress } from './progress.ts';
import { startControlPlane, startNode } from './start-components.ts';
import { sandboxStatus, type SandboxInfo } from './status.ts';
import type { Step } from './up-scope.ts';

export interface SandboxUpOptions {
  /** Default `default`. */
  readonly name?: string;
  /** Port of the API server on 127.0.0.1; default: the one it had, or a free one. */
  readonly port?: number;
  readonly onProgress?: OnProgress;
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

/** In this order. */
const steps = {
  'Network, mounts and cgroups': ensureNamespaces,
  'Certificates and configuration': ensureConfiguration,
  'Control plane (etcd, kube-apiserver)': startControlPlane,
  'Container images': ensureContainerImages,
  'Node (containerd, kubelet, kube-proxy)': startNode,
  'Cluster DNS and storage': ensureAddOns,
} satisfies Record<string, Step>;
