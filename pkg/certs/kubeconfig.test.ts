import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { renderKubeconfig } from './index.ts';

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
