import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { generateCertificateAuthority, inspectKubeconfig, issueCertificate, renderKubeconfig } from './index.ts';

const input = {
  clusterName: 'team-a',
  userName: 'team-a-admin',
  server: 'https://team-a-apiserver.default.svc:6443',
  caPem: 'CA',
  certificate: 'CERT',
  privateKey: 'KEY',
};

describe('renderKubeconfig', () => {
  it('names things as Cluster API does and embeds what a client needs', () => {
    expect(parse(renderKubeconfig(input))).toEqual({
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'team-a', cluster: { server: input.server, 'certificate-authority-data': btoa('CA') } }],
      users: [
        { name: 'team-a-admin', user: { 'client-certificate-data': btoa('CERT'), 'client-key-data': btoa('KEY') } },
      ],
      contexts: [{ name: 'team-a-admin@team-a', context: { cluster: 'team-a', user: 'team-a-admin' } }],
      'current-context': 'team-a-admin@team-a',
    });
  });

  it('keeps long data on one line', () => {
    const long = renderKubeconfig({ ...input, caPem: 'x'.repeat(5000) });
    expect(long).toMatch(/certificate-authority-data: \w{6000,}/);
  });

  it('adds the server name and the namespace where given', () => {
    const config = parse(renderKubeconfig({ ...input, tlsServerName: 'kubernetes', namespace: 'apps' }));
    expect(config.clusters[0].cluster['tls-server-name']).toBe('kubernetes');
    expect(config.contexts[0].context.namespace).toBe('apps');
  });
});

describe('inspectKubeconfig', () => {
  const now = new Date('2026-11-30T12:00:00Z');
  const spec = { commonName: 'kubernetes-admin', usages: ['client' as const], lifetimeDays: 300 };
  const kubeconfig = { clusterName: 'team-a', userName: 'team-a-admin', server: input.server };
  const setup = async () => {
    const ca = await generateCertificateAuthority({ commonName: 'kubernetes', lifetimeDays: 1000 }, now);
    const text = renderKubeconfig({ ...kubeconfig, caPem: ca.certificate, ...(await issueCertificate(ca, spec, now)) });
    return { ca, text, expected: { ca, spec, now, kubeconfig } };
  };

  it('accepts what was just made', async () => {
    const { text, expected } = await setup();
    expect(inspectKubeconfig(text, expected)).toBeUndefined();
  });

  it('names each fault', async () => {
    const { text, expected } = await setup();
    const { ca: other } = await setup();
    const elsewhere = { ...kubeconfig, server: 'https://203.0.113.9:6443' };
    const late = new Date(now.getTime() + 250 * 86_400_000);
    expect(inspectKubeconfig('{', expected)?.problem).toBe('unreadable');
    expect(inspectKubeconfig('', expected)?.problem).toBe('unreadable');
    expect(inspectKubeconfig(text, { ...expected, kubeconfig: elsewhere })?.problem).toBe('specChanged');
    expect(inspectKubeconfig(text, { ...expected, ca: other })?.problem).toBe('wrongIssuer');
    expect(inspectKubeconfig(text, { ...expected, now: late })?.problem).toBe('renewalDue');
    expect(inspectKubeconfig(text.replace(/client-key-data: .*/, ''), expected)?.problem).toBe('missing');
  });
});
