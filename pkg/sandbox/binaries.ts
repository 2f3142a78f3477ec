/** One program that a sandbox needs and how to get it from Go modules. */
export interface Binary {
  /** Programs of one family share a go.mod (`modules/<family>/`), a version and a folder in the cache. */
  readonly family: keyof typeof families;
  /** Go package of the program's `main`. */
  readonly package: string;
  /** Seconds that a build takes in this table's order from an empty build cache on two cores: weights for estimates. */
  readonly buildSeconds: number;
}

const kubernetesVersion = 'v1.36.3';

/**
 * Families of programs. The version is the one that `modules/<family>/go.mod` pins (a test compares them); `ldflags`
 * are added to `-s -w`.
 */
export const families = {
  // Without these the programs say v0.0.0, and every version skew check fails.
  kubernetes: {
    version: kubernetesVersion,
    module: 'k8s.io/kubernetes',
    ldflags: [
      `-X k8s.io/component-base/version.gitVersion=${kubernetesVersion}`,
      `-X k8s.io/component-base/version.gitMajor=${kubernetesVersion.slice(1).split('.')[0]}`,
      `-X k8s.io/component-base/version.gitMinor=${kubernetesVersion.split('.')[1]}`,
    ],
  },
  etcd: { version: 'v3.6.8', module: 'go.etcd.io/etcd/server/v3', ldflags: [] },
  coredns: { version: 'v1.14.2', module: 'github.com/coredns/coredns', ldflags: [] },
  'local-path-provisioner': {
    version: 'v0.0.30',
    module: 'github.com/rancher/local-path-provisioner',
    ldflags: ['-X main.VERSION=v0.0.30'],
  },
  // Our own twenty lines; the version says which published image they stand in for.
  pause: { version: 'v3.10.2', module: 'capn.local/pause', ldflags: [] },
} as const satisfies Record<string, { version: string; module: string; ldflags: readonly string[] }>;

/** Every program that can be built, in the order in which builds are cheapest (the first compiles what others need). */
export const binaries = {
  'kube-apiserver': { family: 'kubernetes', package: 'k8s.io/kubernetes/cmd/kube-apiserver', buildSeconds: 284 },
  'kube-controller-manager': {
    family: 'kubernetes',
    package: 'k8s.io/kubernetes/cmd/kube-controller-manager',
    buildSeconds: 100,
  },
  'kube-scheduler': { family: 'kubernetes', package: 'k8s.io/kubernetes/cmd/kube-scheduler', buildSeconds: 12 },
  kubelet: { family: 'kubernetes', package: 'k8s.io/kubernetes/cmd/kubelet', buildSeconds: 40 },
  'kube-proxy': { family: 'kubernetes', package: 'k8s.io/kubernetes/cmd/kube-proxy', buildSeconds: 15 },
  kubectl: { family: 'kubernetes', package: 'k8s.io/kubernetes/cmd/kubectl', buildSeconds: 30 },
  etcd: { family: 'etcd', package: 'go.etcd.io/etcd/server/v3', buildSeconds: 40 },
  etcdctl: { family: 'etcd', package: 'go.etcd.io/etcd/etcdctl/v3', buildSeconds: 15 },
  etcdutl: { family: 'etcd', package: 'go.etcd.io/etcd/etcdutl/v3', buildSeconds: 15 },
  coredns: { family: 'coredns', package: 'github.com/coredns/coredns', buildSeconds: 75 },
  'local-path-provisioner': {
    family: 'local-path-provisioner',
    package: 'github.com/rancher/local-path-provisioner',
    buildSeconds: 70,
  },
  pause: { family: 'pause', package: 'capn.local/pause', buildSeconds: 2 },
} as const satisfies Record<string, Binary>;

/** A program of the {@link binaries} table. */
export type Program = keyof typeof binaries;

/** All programs, in the order in which they are built. */
export const allPrograms = Object.keys(binaries) as readonly Program[];
