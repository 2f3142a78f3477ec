import { describe, expect, it } from 'vitest';
import { controlPlaneNames } from '#apis';
import { leafCertificates, type LeafInputs } from './index.ts';

const inputs: LeafInputs = {
  names: controlPlaneNames('team-a'),
  clusterName: 'team-a',
  namespace: 'tenants',
  controlPlaneUid: '7d1f',
  serviceAddress: '10.96.7.1',
  etcdMembers: 1,
};
const rowOf = (secretName: string, more: Partial<LeafInputs> = {}) => {
  const row = leafCertificates({ ...inputs, ...more }).find((row) => row.secretName === secretName);
  if (row === undefined) throw new Error(`no row for ${secretName}`);
  return row;
};

describe('leafCertificates', () => {
  it('covers every Secret that is not an authority, each once, each identity once for each authority', () => {
    const { ca, etcdCA, frontProxyCA, serviceAccount, ...leaves } = inputs.names.secrets;
    expect([ca, etcdCA, frontProxyCA, serviceAccount]).not.toContain(undefined);
    const rows = leafCertificates(inputs);
    expect(rows.map((row) => row.secretName).sort()).toEqual(Object.values(leaves).sort());
    const identities = rows.map(({ signedBy, spec }) => `${signedBy}/${spec.commonName}`);
    expect(new Set(identities).size).toBe(rows.length);
  });

  it('lets the API server be called by every name and address there is', () => {
    const { spec } = rowOf('team-a-apiserver-serving', {
      endpointHost: 'a.example.com',
      extraSANs: ['*.b.example.com', '192.0.2.7', '2001:db8::7', 'localhost'],
    });
    expect(spec.dnsNames).toEqual([
      'kubernetes',
      'kubernetes.default',
      'kubernetes.default.svc',
      'kubernetes.default.svc.cluster.local',
      'team-a-apiserver',
      'team-a-apiserver.tenants',
      'team-a-apiserver.tenants.svc',
      'team-a-apiserver.tenants.svc.cluster.local',
      'localhost',
      'a.example.com',
      '*.b.example.com',
    ]);
    expect(spec.ipAddresses).toEqual(['127.0.0.1', '10.96.7.1', '192.0.2.7', '2001:db8::7']);
    expect(spec.usages).toEqual(['server']);
  });

  it('names every etcd member as the API server and its peers dial it', () => {
    const { spec } = rowOf('team-a-etcd-server', { etcdMembers: 3 });
    for (const index of [0, 1, 2]) {
      expect(spec.dnsNames).toContain(`team-a-etcd-${index}.team-a-etcd.tenants.svc`);
    }
    expect(rowOf('team-a-etcd-peer', { etcdMembers: 3 }).spec.dnsNames).toEqual(spec.dnsNames);
  });

  it('never hands out system:masters, and signs what the gateway trusts with the gateway authority only', () => {
    const rows = leafCertificates(inputs);
    expect(rows.flatMap((row) => row.spec.organizations ?? [])).toEqual(['capn:cluster-admins']);
    const kubelet = rowOf('team-a-apiserver-kubelet-client');
    expect(rows.filter((row) => row.signedBy === 'gateway')).toEqual([kubelet]);
    expect(kubelet.spec.uris).toEqual(['capn://control-plane/7d1f']);
  });

  it('points the admin kubeconfig to the public endpoint where there is one, the others never', () => {
    const internal = 'https://team-a-apiserver.tenants.svc:6443';
    const serverOf = (name: string, more: Partial<LeafInputs> = {}) => rowOf(name, more).kubeconfig?.server;
    expect(serverOf('team-a-kubeconfig')).toBe(internal);
    expect(serverOf('team-a-kubeconfig', { endpointHost: '203.0.113.9' })).toBe('https://203.0.113.9:6443');
    expect(serverOf('team-a-kubeconfig', { endpointHost: '2001:db8::9', endpointPort: 443 })).toBe(
      'https://[2001:db8::9]:443',
    );
    expect(serverOf('team-a-kubeconfig-controller-manager', { endpointHost: '203.0.113.9' })).toBe(internal);
    expect(serverOf('team-a-kubeconfig-syncer', { endpointHost: '203.0.113.9' })).toBe(internal);
  });

  it('gives a reason for every row', () => {
    for (const row of leafCertificates(inputs)) expect(row.why.length).toBeGreaterThan(10);
  });
});
