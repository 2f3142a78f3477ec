import { join } from 'node:path';
import type { KubeClient } from '#kube';
import type { SandboxInfo } from '#sandbox';
import { root } from '../build/bundles.ts';
import { kubeconfigFromHere } from '../capn/connection/kubeconfig-from-here.ts';
import type { LiveLine } from '../capn/progress/live-line.ts';
import { waitForControlPlane } from '../capn/progress/wait-for-control-plane.ts';
import { writeOwnFile } from '../capn/write-kubeconfig.ts';
import { kubectl } from './kubectl.ts';

/** The tenant of the demo, as config/samples/team-a.yaml has it. */
const tenant = { namespace: 'default', name: 'team-a' } as const;

const readyMs = 600_000;

export interface TenantOptions {
  readonly sandbox: SandboxInfo;
  readonly client: KubeClient;
  readonly live: LiveLine;
}

/** Applies the sample, waits until it serves, and writes its kubeconfig into the sandbox's folder. Returns the file. */
export async function bringUpTenant({ sandbox, client, live }: TenantOptions, signal: AbortSignal): Promise<string> {
  await kubectl(sandbox, ['apply', '--server-side', '-f', join(root, 'config/samples/team-a.yaml')], signal);
  await waitForControlPlane({ client, key: tenant, until: 'Available', timeoutMs: readyMs, live }, signal);
  live.status('writing the kubeconfig');
  const source = { kind: 'file', path: sandbox.kubeconfig } as const;
  const { kubeconfig } = await kubeconfigFromHere({ client, source }, tenant, signal);
  const file = join(sandbox.dir, `${tenant.name}.kubeconfig`);
  await writeOwnFile(file, kubeconfig, true);
  return file;
}

/** What is printed at the end; the commands work as they are, from the repository's folder. Pure. */
export function nextSteps(sandbox: SandboxInfo, file: string, name: string): readonly string[] {
  const kubectl = `${sandbox.kubectl} --kubeconfig ${file}`;
  return [
    '',
    `The tenant's kubeconfig is ${file}`,
    '(through a port-forward that ends an hour after its last use; this command starts it again)',
    'Try, from this folder:',
    `  ${kubectl} get namespaces`,
    `  ${kubectl} create deployment web --image=registry.k8s.io/pause:3.10`,
    `  npm run -s capn -- describe ${tenant.name} --kubeconfig ${sandbox.kubeconfig}`,
    `Super cluster: ${sandbox.kubeconfig}`,
    `Take all of it down: npm run demo -- --down${name === 'demo' ? '' : ` --name ${name}`}`,
  ];
}
