import { createHash } from 'node:crypto';
import type { KubeObject } from '#kube';

/**
 * Hash of the Secrets and ConfigMaps that pods read at start: when it changes in the pod template, the pods are
 * replaced. The order does not matter.
 */
export function configHashOf(
  objects: readonly (KubeObject & { readonly data?: Readonly<Record<string, string>> })[],
): string {
  const sorted = objects
    .map(({ metadata, data = {} }) => [metadata.name, Object.entries(data).sort(([a], [b]) => a.localeCompare(b))])
    .sort(([a], [b]) => String(a).localeCompare(String(b)));
  return createHash('sha256').update(JSON.stringify(sorted)).digest('hex').slice(0, 32);
}
