import type { NestedEtcd } from '#apis';
import { renderArguments } from './arguments.ts';
import { etcdPorts, paths } from './etcd-layout.ts';
import type { PlaneIdentity } from './plane-identity.ts';
import { bytesOf } from './quantity.ts';

/** The URL of one member, by the DNS name that the headless Service gives it. */
export function memberUrl({ names, namespace }: PlaneIdentity, member: string, port: number): string {
  return `https://${member}.${names.etcd}.${namespace}.svc:${port}`;
}

/**
 * etcd's command line. Not set, because the default is right: compaction (kube-apiserver compacts every 5 minutes, and
 * nobody else writes), the snapshot count (10,000 in etcd 3.6) and the timings of elections.
 */
export function etcdArguments(etcd: NestedEtcd, identity: PlaneIdentity): readonly string[] {
  const own = { ...identityArguments(etcd, identity), ...certificateArguments(), ...tuningArguments(etcd) };
  return renderArguments(own, etcd.spec.extraArgs);
}

function identityArguments({ spec }: NestedEtcd, identity: PlaneIdentity): Readonly<Record<string, string>> {
  const self = '$(POD_NAME)';
  const members = Array.from({ length: spec.replicas }, (_, index) => `${identity.names.etcd}-${index}`);
  const everywhere = (port: number) => `https://0.0.0.0:${port}`;
  return {
    name: self,
    'data-dir': paths.data,
    'listen-client-urls': everywhere(etcdPorts.client),
    'advertise-client-urls': memberUrl(identity, self, etcdPorts.client),
    'listen-peer-urls': everywhere(etcdPorts.peer),
    'initial-advertise-peer-urls': memberUrl(identity, self, etcdPorts.peer),
    'listen-metrics-urls': `http://0.0.0.0:${etcdPorts.metrics}`,
    'initial-cluster': members.map((member) => `${member}=${memberUrl(identity, member, etcdPorts.peer)}`).join(','),
    // Cluster and member IDs derive from it, so members of two control planes of one name never talk to each other.
    'initial-cluster-token': identity.uid,
  };
}

function certificateArguments(): Readonly<Record<string, string>> {
  return {
    'cert-file': `${paths.pki}/server/tls.crt`,
    'key-file': `${paths.pki}/server/tls.key`,
    'client-cert-auth': 'true',
    'trusted-ca-file': `${paths.pki}/server/ca.crt`,
    'peer-cert-file': `${paths.pki}/peer/tls.crt`,
    'peer-key-file': `${paths.pki}/peer/tls.key`,
    'peer-client-cert-auth': 'true',
    'peer-trusted-ca-file': `${paths.pki}/peer/ca.crt`,
  };
}

function tuningArguments({ spec }: NestedEtcd): Readonly<Record<string, string>> {
  return {
    'quota-backend-bytes': String(quotaBytes(spec.storage.size)),
    // kube-apiserver serves consistent lists from its cache by these notes; kubeadm sets the same.
    'watch-progress-notify-interval': '5s',
  };
}

/** etcd's documentation advises against a larger database. */
const largestQuota = 8 * 2 ** 30;

/**
 * Half of the smallest volume that the CRD takes. A volume below that (an object from before the rule) still gets this
 * much: etcd reads 0 as its default of 2 GiB, and would refuse every write with a handful of bytes.
 */
const smallestQuota = 32 * 2 ** 20;

/**
 * Bytes that the database may grow to: half of the volume, at least 32 MiB, at most 8 GiB. The other half is for the
 * write-ahead log (up to six files of 64 MB) and for the copy that defragmentation makes. A full database refuses
 * writes and can be compacted; a full volume makes etcd crash.
 */
export function quotaBytes(volumeSize: string): number {
  return Math.min(Math.max(Math.floor(bytesOf(volumeSize) / 2), smallestQuota), largestQuota);
}
