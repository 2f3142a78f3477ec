import { families } from './binaries.ts';

const { kubernetes, etcd, coredns } = families;

/** Names of the images that every sandbox has, built from the programs in the cache: nothing can be pulled in there. */
export const sandboxImages = {
  pause: `registry.k8s.io/pause:${families.pause.version.slice(1)}`,
  kubeApiserver: `registry.k8s.io/kube-apiserver:${kubernetes.version}`,
  kubeControllerManager: `registry.k8s.io/kube-controller-manager:${kubernetes.version}`,
  etcd: `registry.k8s.io/etcd:${etcd.version.slice(1)}-0`,
  coredns: `registry.k8s.io/coredns/coredns:${coredns.version}`,
  localPathProvisioner: `docker.io/rancher/local-path-provisioner:${families['local-path-provisioner'].version}`,
  /** A shell with the machine's own busybox-static; for helper pods and tests. */
  busybox: 'docker.io/library/busybox:stable',
} as const;
