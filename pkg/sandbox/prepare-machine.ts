import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { addresses } from './addresses.ts';
import { ensureCertificates } from './certificates.ts';
import { ensureCgroups, findHierarchies } from './cgroups.ts';
import { killAll } from './clear-cgroups.ts';
import { componentNames, kubeconfigUsers } from './components.ts';
import { writeKubeconfig } from './kubeconfig.ts';
import type { SandboxLayout } from './layout.ts';
import { stopProcess } from './managed-process.ts';
import { unmountBelow } from './mounts.ts';
import { createNamespaces, markIncomplete, namespacesStand } from './namespaces.ts';
import { nodeConfigFiles } from './node-config.ts';
import { pidFileOf } from './node-processes.ts';
import type { Scope } from './up-scope.ts';

/** The step that makes what programs run in: namespaces and cgroups. */
export async function ensureNamespaces({ layout }: Scope, signal: AbortSignal): Promise<string | undefined> {
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

/** The step that makes certificates, kubeconfigs and configuration files. */
export async function ensureConfiguration({ layout }: Scope): Promise<string | undefined> {
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
