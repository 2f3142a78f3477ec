import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemNamespace } from '#apis';
import { resources, type Deployment, type KubeClient } from '#kube';
import { loadImage, runStep, type OnProgress, type SandboxInfo } from '#sandbox';
import { root } from '../build/bundles.ts';
import { ensureProviderImage, type ProviderImage } from '../build/provider-image.ts';
import { CliError } from '../capn/cli-error.ts';
import { podSummary } from '../capn/describe/pod-summary.ts';
import type { LiveLine } from '../capn/progress/live-line.ts';
import { kubectl } from './kubectl.ts';

export interface InstallOptions {
  readonly sandbox: SandboxInfo;
  readonly client: KubeClient;
  readonly onProgress: OnProgress;
}

const readyMs = 180_000;

/**
 * Builds the provider's image, loads it, and applies `config/default` as people do. What is there already stays; when
 * the image has changed, the Deployments are restarted with the new one.
 */
export async function installProvider(options: InstallOptions, signal: AbortSignal): Promise<void> {
  const { sandbox, client, onProgress } = options;
  const isUpgrade = (await client.get(resources.namespaces, { name: systemNamespace }, signal)) !== undefined;
  const image = await buildProviderImage(onProgress, signal);
  const isNew = await loadIfNew({ sandbox, image, onProgress }, signal);
  await runStep('Provider installed (kubectl apply --server-side -k config/default)', onProgress, async () => {
    await kubectl(sandbox, ['apply', '--server-side', '-k', join(root, 'config/default')], signal);
    if (!isNew || !isUpgrade) return undefined;
    await kubectl(sandbox, ['rollout', 'restart', 'deployment', '-n', systemNamespace], signal);
    return 'restarted with the new image';
  });
  // Last, so that after an interruption all of it is done again.
  await writeFile(markerOf(sandbox), image.contentHash);
}

async function buildProviderImage(onProgress: OnProgress, signal: AbortSignal): Promise<ProviderImage> {
  const { promise, resolve } = Promise.withResolvers<ProviderImage>();
  await runStep('Provider image built', onProgress, async () => {
    const image = await ensureProviderImage(signal);
    resolve(image);
    return `content ${image.contentHash}`;
  });
  return await promise;
}

interface LoadOptions extends Omit<InstallOptions, 'client'> {
  readonly image: ProviderImage;
}

async function loadIfNew({ sandbox, image, onProgress }: LoadOptions, signal: AbortSignal): Promise<boolean> {
  const loaded = await readFile(markerOf(sandbox), 'utf8').catch(() => '');
  if (loaded === image.contentHash) return false;
  await runStep('Provider image loaded', onProgress, async () => {
    await loadImage(sandbox, image.file, signal);
    return undefined;
  });
  return true;
}

/** Remembers which image the sandbox has. */
function markerOf(sandbox: SandboxInfo): string {
  return join(sandbox.dir, 'provider-image');
}

/** Waits until every Deployment of the provider runs as it should. **Errors** `timedOut` after 3 minutes, with what a pod waits for. */
export async function waitForProvider(client: KubeClient, live: LiveLine, signal: AbortSignal): Promise<void> {
  const deadline = performance.now() + readyMs;
  let status = '';
  while (performance.now() < deadline) {
    const { items } = await client.list(resources.deployments, { namespace: systemNamespace }, signal);
    if (items.length > 0 && items.every(isRolledOut)) return live.line('✓ Provider ready');
    const pods = await client.list(resources.pods, { namespace: systemNamespace }, signal);
    status = pods.items.map((pod) => `${pod.metadata.name} ${podSummary(pod).text}`).join(', ');
    live.status(`waiting for the provider: ${status}`);
    await sleep(500, undefined, { signal });
  }
  throw new CliError(
    'timedOut',
    `the provider is not ready after ${readyMs / 1000} s: ${status}`,
    `look at its log: kubectl logs -n ${systemNamespace} deployment/capn-controller-manager`,
  );
}

/** Whether all pods are of the newest template and available. Pure. */
export function isRolledOut({ metadata, spec, status }: Deployment): boolean {
  const wanted = spec?.replicas ?? 1;
  const isSeen = (status?.observedGeneration ?? 0) >= (metadata.generation ?? 0);
  return (
    isSeen && status?.updatedReplicas === wanted && status.availableReplicas === wanted && status.replicas === wanted
  );
}
