/**
 * Controllers of kube-controller-manager that do not run in a tenant, by their names in v1.36
 * (cmd/kube-controller-manager/names), each with the reason. All others that are on by default run: they act on the
 * tenant's own objects only.
 */
export const controllersOff = {
  'node-lifecycle-controller':
    'would taint nodes and mark pods not ready when the syncer is late; super watches its nodes itself',
  'taint-eviction-controller': "would evict the tenant's pods by taints that only super may act on",
  'device-taint-eviction-controller': 'would evict by taints of devices, which super owns',
  'node-ipam-controller': 'super gives nodes and pods their addresses',
  'ttl-controller': 'writes an annotation to every Node, which the syncer copies from super: each would undo the other',
  'cloud-node-lifecycle-controller': "would delete Nodes that the tenant's view of the cloud does not know",
  'node-route-controller': "routes between nodes are super's",
  'service-lb-controller': "super's controller provides load balancers for the copies of Services",
  'persistentvolume-binder-controller': 'super binds claims to volumes; the syncer brings the result back',
  'persistentvolume-attach-detach-controller': 'super attaches volumes to its nodes',
  'persistentvolume-expander-controller': 'super resizes volumes; the syncer hands the wanted size down',
  'pod-garbage-collector-controller':
    "would delete by force all pods on a node that leaves the tenant's view; super collects its own pods, and the syncer follows",
} as const satisfies Readonly<Record<string, string>>;

/** The value of `--controllers`: all that are on by default, without {@link controllersOff}. */
export function controllersArgument(): string {
  return ['*', ...Object.keys(controllersOff).map((name) => `-${name}`)].join(',');
}
