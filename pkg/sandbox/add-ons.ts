import { dnsObjects } from './dns-add-on.ts';
import type { SandboxLayout } from './layout.ts';
import { storageObjects } from './storage-add-on.ts';

/** Deployments that have to be available before a sandbox is up: `namespace/name`. */
export const addOnDeployments = ['kube-system/coredns', 'local-path-storage/local-path-provisioner'] as const;

/** What runs inside super from the start: CoreDNS, and a default StorageClass that provisions. */
export function addOnObjects(layout: SandboxLayout): object[] {
  return [...dnsObjects(), ...storageObjects(layout)];
}
