import { rowFor, supportedVersionsText } from '#apis';
import type { ComponentSettings } from './component-settings.ts';
import type { Program } from './plane-identity.ts';

const defaultRepository = 'registry.k8s.io';

/**
 * The image of a component: the user's own, or the one that belongs to the Kubernetes version, from the user's mirror
 * or the upstream registry.
 *
 * **Errors** throws for a version without a row in the table, which the CRD refuses beforehand.
 */
export function imageFor(
  program: Program,
  version: string,
  { image, imageRepository = defaultRepository }: Pick<ComponentSettings, 'image' | 'imageRepository'> = {},
): string {
  if (image !== undefined) return image;
  return `${imageRepository.replace(/\/+$/, '')}/${program}:${tagFor(program, version)}`;
}

function tagFor(program: Program, version: string): string {
  const row = rowFor(version);
  if (row === undefined) {
    throw new Error(`Kubernetes ${version} is not supported; supported are ${supportedVersionsText()}`);
  }
  return program === 'etcd' ? row.etcdTag : version;
}
