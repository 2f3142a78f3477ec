/**
 * Command line arguments that a component's manifest sets itself, with the reason. `extraArgs` may not name them: a
 * user's value would either break the control plane or break the isolation between tenants.
 */
export const ownedArguments = {
  etcd: {
    identity: [
      'name',
      'data-dir',
      'initial-cluster',
      'initial-cluster-state',
      'initial-cluster-token',
      'force-new-cluster',
    ],
    addresses: [
      'advertise-client-urls',
      'initial-advertise-peer-urls',
      'listen-client-urls',
      'listen-client-http-urls',
      'listen-metrics-urls',
      'listen-peer-urls',
    ],
    certificates: [
      'cert-file',
      'key-file',
      'trusted-ca-file',
      'client-cert-auth',
      'auto-tls',
      'peer-auto-tls',
      'peer-cert-file',
      'peer-client-cert-auth',
      'peer-key-file',
      'peer-trusted-ca-file',
    ],
    durability: ['unsafe-no-fsync', 'wal-dir'],
    files: ['config-file'],
  },
  apiServer: {
    addresses: [
      'advertise-address',
      'bind-address',
      'endpoint-reconciler-type',
      'kubelet-preferred-address-types',
      'secure-port',
      'service-cluster-ip-range',
    ],
    certificates: [
      'cert-dir',
      'client-ca-file',
      'kubelet-certificate-authority',
      'kubelet-client-certificate',
      'kubelet-client-key',
      'proxy-client-cert-file',
      'proxy-client-key-file',
      'requestheader-allowed-names',
      'requestheader-client-ca-file',
      'requestheader-extra-headers-prefix',
      'requestheader-group-headers',
      'requestheader-username-headers',
      'tls-cert-file',
      'tls-private-key-file',
    ],
    etcd: ['etcd-cafile', 'etcd-certfile', 'etcd-keyfile', 'etcd-prefix', 'etcd-servers', 'etcd-servers-overrides'],
    identity: ['service-account-issuer', 'service-account-key-file', 'service-account-signing-key-file'],
    authorization: [
      'allow-privileged',
      'anonymous-auth',
      'authentication-config',
      'authorization-config',
      'authorization-mode',
    ],
  },
  controllerManager: {
    addresses: ['bind-address', 'secure-port', 'service-cluster-ip-range'],
    certificates: [
      'cert-dir',
      'client-ca-file',
      'cluster-signing-cert-file',
      'cluster-signing-key-file',
      'requestheader-client-ca-file',
      'root-ca-file',
      'service-account-private-key-file',
      'tls-cert-file',
      'tls-private-key-file',
    ],
    access: [
      'authentication-kubeconfig',
      'authorization-kubeconfig',
      'kubeconfig',
      'master',
      'use-service-account-credentials',
    ],
    super: ['allocate-node-cidrs', 'cloud-provider', 'controllers', 'leader-elect'],
  },
} as const satisfies Record<string, Readonly<Record<string, readonly string[]>>>;

export type ComponentName = keyof typeof ownedArguments;

/** All argument names that `component`'s manifest owns, sorted. */
export function ownedArgumentNames(component: ComponentName): readonly string[] {
  const groups: Readonly<Record<string, readonly string[]>> = ownedArguments[component];
  return Object.values(groups).flat().sort();
}
