/**
 * Addresses inside a sandbox. Each sandbox has a network namespace of its own, so all sandboxes use the same ones and
 * none of them is reachable from outside except through the forwarder.
 */
export const addresses = {
  /** The node's (and the API server's) address: an extra one on `lo`, since pods cannot reach 127.0.0.1. */
  node: '10.95.0.1',
  apiServerPort: 6443,
  /** Wide on purpose: every tenant gets a slice of it. */
  serviceRange: '10.96.0.0/16',
  /** `default/kubernetes`: always the first of the range. */
  kubernetesService: '10.96.0.1',
  dns: '10.96.0.10',
  podRange: '10.244.0.0/16',
  clusterDomain: 'cluster.local',
} as const;
