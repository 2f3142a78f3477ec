import { addOnDeployments, addOnObjects } from './add-ons.ts';
import { ensureImages } from './images.ts';
import { cacheFolder } from './layout.ts';
import { ctr, importMissing } from './load-image.ts';
import { logFileOf } from './node-processes.ts';
import { pollUntil } from './poll-until.ts';
import { kubectl, type Scope } from './up-scope.ts';

/** The step that loads the images that the sandbox lacks. */
export async function ensureContainerImages(
  { layout, paths }: Scope,
  signal: AbortSignal,
): Promise<string | undefined> {
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

/** The step that installs DNS and storage, and waits until both work. */
export async function ensureAddOns(scope: Scope, signal: AbortSignal): Promise<string | undefined> {
  const list = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: addOnObjects(scope.layout) });
  await kubectl(scope, ['apply', '--server-side', '--force-conflicts', '-f', '-'], signal, list);
  for (const deployment of addOnDeployments) {
    const [namespace = '', name = ''] = deployment.split('/');
    await kubectl(scope, ['rollout', 'status', `deployment/${name}`, '-n', namespace, '--timeout=120s'], signal);
  }
  return undefined;
}
