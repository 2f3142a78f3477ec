import { join } from 'node:path';
import { addresses } from './addresses.ts';
import type { Program } from './binaries.ts';
import { forwarderCommand } from './forwarder.ts';
import type { SandboxLayout } from './layout.ts';

/** The programs that make up a sandbox, in the order in which they are started. */
export const componentNames = [
  'etcd',
  'kube-apiserver',
  'forwarder',
  'containerd',
  'kube-controller-manager',
  'kube-scheduler',
  'kube-proxy',
  'kubelet',
] as const;

export type ComponentName = (typeof componentNames)[number];

/** Whether `name` names a component. */
export function isComponentName(name: string): name is ComponentName {
  return (componentNames as readonly string[]).includes(name);
}

/** Health URLs inside the sandbox; containerd and the forwarder have none and are asked in other ways. */
export const healthUrls = {
  etcd: 'http://127.0.0.1:2379/health',
  'kube-apiserver': `https://127.0.0.1:${addresses.apiServerPort}/readyz`,
  'kube-controller-manager': 'https://127.0.0.1:10257/healthz',
  'kube-scheduler': 'https://127.0.0.1:10259/readyz',
  'kube-proxy': 'http://127.0.0.1:10256/healthz',
  kubelet: 'http://127.0.0.1:10248/healthz',
} as const satisfies Partial<Record<ComponentName, string>>;

/** Components that have a kubeconfig in the configuration folder, under the certificate of the same name. */
export const kubeconfigUsers = ['kube-controller-manager', 'kube-scheduler', 'kube-proxy', 'kubelet'] as const;

/** The command line of every component. Each row's flags were tried together; reasons stand where one surprises. */
export function componentCommands(
  layout: SandboxLayout,
  paths: Readonly<Record<Program, string>>,
): Record<ComponentName, readonly string[]> {
  const kubeconfig = (name: (typeof kubeconfigUsers)[number]): string => join(layout.config, `${name}.kubeconfig`);
  return {
    etcd: [paths.etcd, ...etcdFlags(layout)],
    'kube-apiserver': [paths['kube-apiserver'], ...apiServerFlags(layout)],
    forwarder: forwarderCommand,
    containerd: ['containerd', '--config', join(layout.config, 'containerd.toml')],
    'kube-controller-manager': [
      paths['kube-controller-manager'],
      ...controllerManagerFlags(layout, kubeconfig('kube-controller-manager')),
    ],
    'kube-scheduler': [
      paths['kube-scheduler'],
      `--kubeconfig=${kubeconfig('kube-scheduler')}`,
      `--authentication-kubeconfig=${kubeconfig('kube-scheduler')}`,
      `--authorization-kubeconfig=${kubeconfig('kube-scheduler')}`,
      '--bind-address=127.0.0.1',
      '--leader-elect=false',
    ],
    'kube-proxy': [
      paths['kube-proxy'],
      `--kubeconfig=${kubeconfig('kube-proxy')}`,
      `--hostname-override=${layout.nodeName}`,
      '--proxy-mode=nftables',
      `--cluster-cidr=${addresses.podRange}`,
      // Connection tracking limits belong to the machine and cannot be set from a network namespace.
      '--conntrack-max-per-core=0',
      '--oom-score-adj=0',
    ],
    kubelet: [
      paths.kubelet,
      `--config=${join(layout.config, 'kubelet.json')}`,
      `--kubeconfig=${kubeconfig('kubelet')}`,
      `--hostname-override=${layout.nodeName}`,
      `--node-ip=${addresses.node}`,
    ],
  };
}

function etcdFlags(layout: SandboxLayout): string[] {
  const client = 'http://127.0.0.1:2379';
  const peer = 'http://127.0.0.1:2380';
  return [
    '--name=super',
    `--data-dir=${layout.etcd}`,
    `--listen-client-urls=${client}`,
    `--advertise-client-urls=${client}`,
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=super=${peer}`,
    // A sandbox is thrown away: losing it in a power cut is fine, and writes are several times as fast.
    '--unsafe-no-fsync',
    '--auto-compaction-retention=5m',
    '--log-level=warn',
  ];
}

function apiServerFlags(layout: SandboxLayout): string[] {
  const certificate = (file: string): string => join(layout.certificates, file);
  return [
    '--etcd-servers=http://127.0.0.1:2379',
    `--advertise-address=${addresses.node}`,
    `--secure-port=${addresses.apiServerPort}`,
    `--service-cluster-ip-range=${addresses.serviceRange}`,
    '--authorization-mode=Node,RBAC',
    '--enable-admission-plugins=NodeRestriction',
    '--allow-privileged=true',
    `--client-ca-file=${certificate('ca.crt')}`,
    `--tls-cert-file=${certificate('kube-apiserver.crt')}`,
    `--tls-private-key-file=${certificate('kube-apiserver.key')}`,
    `--kubelet-certificate-authority=${certificate('ca.crt')}`,
    `--kubelet-client-certificate=${certificate('kube-apiserver-kubelet-client.crt')}`,
    `--kubelet-client-key=${certificate('kube-apiserver-kubelet-client.key')}`,
    // The node's name is in no DNS; logs and exec would look it up there.
    '--kubelet-preferred-address-types=InternalIP',
    `--requestheader-client-ca-file=${certificate('front-proxy-ca.crt')}`,
    '--requestheader-allowed-names=front-proxy-client',
    '--requestheader-extra-headers-prefix=X-Remote-Extra-',
    '--requestheader-group-headers=X-Remote-Group',
    '--requestheader-username-headers=X-Remote-User',
    `--proxy-client-cert-file=${certificate('front-proxy-client.crt')}`,
    `--proxy-client-key-file=${certificate('front-proxy-client.key')}`,
    `--service-account-issuer=https://kubernetes.default.svc.${addresses.clusterDomain}`,
    `--service-account-key-file=${certificate('service-account.pub')}`,
    `--service-account-signing-key-file=${certificate('service-account.key')}`,
  ];
}

function controllerManagerFlags(layout: SandboxLayout, kubeconfig: string): string[] {
  const certificate = (file: string): string => join(layout.certificates, file);
  return [
    `--kubeconfig=${kubeconfig}`,
    `--authentication-kubeconfig=${kubeconfig}`,
    `--authorization-kubeconfig=${kubeconfig}`,
    '--bind-address=127.0.0.1',
    '--leader-elect=false',
    '--use-service-account-credentials=true',
    `--root-ca-file=${certificate('ca.crt')}`,
    `--service-account-private-key-file=${certificate('service-account.key')}`,
    `--cluster-signing-cert-file=${certificate('ca.crt')}`,
    `--cluster-signing-key-file=${certificate('ca.key')}`,
    '--allocate-node-cidrs=true',
    `--cluster-cidr=${addresses.podRange}`,
    // One node, so it gets the whole range.
    '--node-cidr-mask-size=16',
    `--service-cluster-ip-range=${addresses.serviceRange}`,
  ];
}
