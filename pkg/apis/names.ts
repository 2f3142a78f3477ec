import { createHash } from 'node:crypto';

const longest = 52;
const hashLength = 8;

/**
 * A name of at most 52 characters (a StatefulSet's pods carry 11 more in a label) from a base and a suffix:
 * `team-a` and `etcd` give `team-a-etcd`. A longer one is cut and ends in 8 characters of SHA-256, so that two long
 * names never meet.
 */
export function derivedName(base: string, suffix: string): string {
  const whole = `${base}-${suffix}`;
  if (whole.length <= longest) return whole;
  const hash = createHash('sha256').update(whole).digest('hex').slice(0, hashLength);
  const room = longest - suffix.length - hashLength - 2;
  return `${base.slice(0, room).replace(/-+$/, '')}-${suffix}-${hash}`;
}

/** The names of everything that belongs to one control plane, all derived from its base name. */
export interface ControlPlaneNames {
  readonly etcd: string;
  readonly apiServer: string;
  readonly controllerManager: string;
  /** ConfigMap that records the identity of the etcd cluster, outside of it. */
  readonly etcdIdentity: string;
  readonly secrets: {
    /** Cluster API names: never cut. */
    readonly ca: string;
    readonly etcdCA: string;
    readonly frontProxyCA: string;
    readonly serviceAccount: string;
    readonly adminKubeconfig: string;
    readonly apiServerEtcdClient: string;
    /** Ours: none may end as one of Cluster API does, or another control plane's Secret could be called the same. */
    readonly apiServerServing: string;
    readonly apiServerKubeletClient: string;
    readonly frontProxyClient: string;
    readonly etcdServer: string;
    readonly etcdPeer: string;
    readonly controllerManagerKubeconfig: string;
    readonly syncerKubeconfig: string;
  };
}

/**
 * Names for a control plane called `base` (at most 63 characters).
 *
 * **Guarantees** no two control planes share the name of a Secret, whatever they are called (`a` and `a-syncer`, say).
 */
export function controlPlaneNames(base: string): ControlPlaneNames {
  return {
    etcd: derivedName(base, 'etcd'),
    apiServer: derivedName(base, 'apiserver'),
    controllerManager: derivedName(base, 'controller-manager'),
    etcdIdentity: derivedName(base, 'etcd-identity'),
    secrets: {
      ca: `${base}-ca`,
      etcdCA: `${base}-etcd`,
      frontProxyCA: `${base}-proxy`,
      serviceAccount: `${base}-sa`,
      adminKubeconfig: `${base}-kubeconfig`,
      apiServerEtcdClient: `${base}-apiserver-etcd-client`,
      apiServerServing: `${base}-apiserver-serving`,
      apiServerKubeletClient: `${base}-apiserver-kubelet-client`,
      frontProxyClient: `${base}-front-proxy-client`,
      etcdServer: `${base}-etcd-server`,
      etcdPeer: `${base}-etcd-peer`,
      controllerManagerKubeconfig: `${base}-kubeconfig-controller-manager`,
      syncerKubeconfig: `${base}-kubeconfig-syncer`,
    },
  };
}
