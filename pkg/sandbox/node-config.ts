import { statfsSync } from 'node:fs';
import { join } from 'node:path';
import { addresses } from './addresses.ts';
import { sandboxImages } from './image-names.ts';
import type { SandboxLayout } from './layout.ts';

/** Configuration files of the node's programs: file name in the configuration folder → content. */
export function nodeConfigFiles(layout: SandboxLayout): Record<string, string> {
  return {
    'containerd.toml': containerdConfig(layout),
    'kubelet.json': JSON.stringify(kubeletConfig(layout), null, 2),
    'cni/10-sandbox.conflist': JSON.stringify(cniConfig(layout), null, 2),
    // Pods with `dnsPolicy: Default` must not inherit the machine's resolvers: nothing outside can be reached.
    'resolv.conf': '# a sandbox has no way out\n',
  };
}

/** Socket and state are at the default places, which the sandbox's mount namespace covers. */
function containerdConfig(layout: SandboxLayout): string {
  return `version = 2
root = "${layout.containerd}"
state = "/run/containerd"

[debug]
  level = "warn"

[grpc]
  address = "/run/containerd/containerd.sock"

[plugins."io.containerd.internal.v1.opt"]
  path = "${join(layout.containerd, 'opt')}"

[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "${sandboxImages.pause}"
  # The machine may lack CAP_SYS_RESOURCE; without this every pod then fails in runc.
  restrict_oom_score_adj = true
  # Pods' network namespaces stay out of the machine's /run/netns.
  netns_mounts_under_state_dir = true

[plugins."io.containerd.grpc.v1.cri".cni]
  bin_dir = "/usr/lib/cni"
  conf_dir = "${join(layout.config, 'cni')}"

[plugins."io.containerd.grpc.v1.cri".containerd]
  snapshotter = "${snapshotterFor(layout.dir)}"

[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
  runtime_type = "io.containerd.runc.v2"
`;
}

/** overlayfs cannot lie on overlayfs (which is what a container's own root usually is). */
function snapshotterFor(dir: string): 'overlayfs' | 'native' {
  const overlayMagic = 0x79_4c_76_30;
  return statfsSync(dir).type === overlayMagic ? 'native' : 'overlayfs';
}

function kubeletConfig(layout: SandboxLayout): object {
  const certificate = (file: string): string => join(layout.certificates, file);
  return {
    kind: 'KubeletConfiguration',
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    address: addresses.node,
    authentication: {
      anonymous: { enabled: false },
      webhook: { enabled: true },
      x509: { clientCAFile: certificate('ca.crt') },
    },
    authorization: { mode: 'Webhook' },
    tlsCertFile: certificate('kubelet-server.crt'),
    tlsPrivateKeyFile: certificate('kubelet-server.key'),
    cgroupDriver: 'cgroupfs',
    cgroupRoot: `/${layout.cgroup}`,
    failCgroupV1: false,
    enforceNodeAllocatable: [],
    failSwapOn: false,
    oomScoreAdj: 0,
    containerRuntimeEndpoint: 'unix:///run/containerd/containerd.sock',
    clusterDNS: [addresses.dns],
    clusterDomain: addresses.clusterDomain,
    resolvConf: join(layout.config, 'resolv.conf'),
    volumePluginDir: join(layout.kubelet, 'volume-plugins'),
    maxPods: 250,
    // The machine's disk is shared with others: only an almost full one is our business. Images cannot be pulled
    // again, so they are never collected.
    evictionHard: {
      'memory.available': '100Mi',
      'nodefs.available': '1%',
      'imagefs.available': '1%',
      'nodefs.inodesFree': '1%',
    },
    imageGCHighThresholdPercent: 100,
    // Short on purpose: pods are declared ready soon, and a stopped sandbox's node is noticed.
    syncFrequency: '30s',
    nodeStatusUpdateFrequency: '10s',
    registerNode: true,
    logging: { format: 'text' },
  };
}

function cniConfig(layout: SandboxLayout): object {
  return {
    cniVersion: '1.0.0',
    name: layout.cgroup,
    plugins: [
      {
        type: 'bridge',
        bridge: 'cni0',
        isDefaultGateway: true,
        hairpinMode: true,
        ipMasq: false,
        ipam: { type: 'host-local', ranges: [[{ subnet: addresses.podRange }]], dataDir: '/var/lib/cni/networks' },
      },
      { type: 'portmap', capabilities: { portMappings: true } },
    ],
  };
}
