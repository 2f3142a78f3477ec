import { nestedControlPlanes, versionRows } from '#apis';
import type { KubeObject } from '#kube';

/** The smallest NestedControlPlane that is accepted. @param spec is laid over it, and may be wrong on purpose */
export function nestedControlPlane(name: string, spec: object = {}): KubeObject & { readonly spec: object } {
  const { apiVersion, kind } = nestedControlPlanes;
  return {
    apiVersion,
    kind,
    metadata: { name, namespace: 'default' },
    spec: { version: versionRows[0].tested, ...spec },
  };
}
