import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { clusterOf, kubeconfigText, parseTenantKubeconfig, throughLocalPort } from './tenant-kubeconfig.ts';

const text = `apiVersion: v1
kind: Config
current-context: team-a-admin@team-a
clusters:
- name: team-a
  cluster: {server: 'https://team-a-apiserver.default.svc:6443', certificate-authority-data: Q0E=}
contexts:
- name: team-a-admin@team-a
  context: {cluster: team-a, user: team-a-admin}
users:
- name: team-a-admin
  user: {client-certificate-data: Q1JU, client-key-data: S0VZ}
`;

it('leads through a local port and still checks the certificate', () => {
  const local = throughLocalPort(parseTenantKubeconfig(text, 'team-a-kubeconfig'), 7001);
  expect(clusterOf(local)).toEqual({
    server: 'https://127.0.0.1:7001',
    'tls-server-name': 'team-a-apiserver.default.svc',
    'certificate-authority-data': 'Q0E=',
  });
  expect({ ...(parse(kubeconfigText(local)) as object), clusters: [] }).toEqual({
    ...(parse(text) as object),
    clusters: [],
  });
});

it.each([
  ['https://10.1.2.3:6443', '10.1.2.3'],
  ['https://[fd00::1]:6443', 'fd00::1'],
  ['https://api.example.org', 'api.example.org'],
])('expects the name of %s', (server, name) => {
  const kubeconfig = parseTenantKubeconfig(text.replace('https://team-a-apiserver.default.svc:6443', server), 's');
  expect(clusterOf(throughLocalPort(kubeconfig, 1))['tls-server-name']).toBe(name);
});

it.each(['', 'a: [', 'kind: Config', 'client-key-data: S0VZ'])('names the Secret, not its content: %j', (broken) => {
  expect(() => parseTenantKubeconfig(broken, 'team-a-kubeconfig')).toThrow(
    'Secret team-a-kubeconfig holds no kubeconfig under the key value',
  );
});
