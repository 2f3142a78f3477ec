import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { CliError } from './cli-error.ts';
import { mergeKubeconfig } from './merge-kubeconfig.ts';
import type { TenantKubeconfig } from './connection/tenant-kubeconfig.ts';

const addition: TenantKubeconfig = {
  apiVersion: 'v1',
  kind: 'Config',
  'current-context': 'team-a-admin@team-a',
  clusters: [
    { name: 'team-a', cluster: { server: 'https://127.0.0.1:7001', 'tls-server-name': 'team-a.default.svc' } },
  ],
  users: [{ name: 'team-a-admin', user: { 'client-key-data': 'a2V5' } }],
  contexts: [{ name: 'team-a-admin@team-a', context: { cluster: 'team-a', user: 'team-a-admin' } }],
};

const existing = `apiVersion: v1
kind: Config
# the office cluster
current-context: office
clusters:
- name: office
  cluster: {server: https://office:6443} # never change
contexts:
- name: office
  context: {cluster: office, user: me}
users:
- name: me
  user: {token: secret}
`;

const options = { file: '~/.kube/config', force: false };

describe('mergeKubeconfig', () => {
  it('adds the entries and leaves all else, comments included', () => {
    const { text, change } = mergeKubeconfig(existing, addition, options);
    const merged = parse(text) as Record<string, unknown>;
    expect(change).toBe('changed');
    expect(text).toContain('# the office cluster');
    expect(text).toContain('# never change');
    expect(merged['current-context']).toBe('office');
    expect(merged['clusters']).toEqual([
      { name: 'office', cluster: { server: 'https://office:6443' } },
      ...addition.clusters,
    ]);
    expect(merged['users']).toEqual([{ name: 'me', user: { token: 'secret' } }, ...addition.users]);
  });

  it('makes a whole kubeconfig of an empty text, with a current context', () => {
    expect(parse(mergeKubeconfig('', addition, options).text)).toEqual(addition);
  });

  it('changes nothing the second time', () => {
    const once = mergeKubeconfig(existing, addition, options).text;
    expect(mergeKubeconfig(once, addition, options)).toEqual({ text: once, change: 'same' });
  });

  it('refuses to overwrite an entry that differs, and names each', () => {
    const mine = existing
      .replace('name: me', 'name: team-a-admin')
      .replace('name: office\n  cluster', 'name: team-a\n  cluster');
    expect(() => mergeKubeconfig(mine, addition, options)).toThrow(/clusters\/team-a, users\/team-a-admin/);
  });

  it('replaces exactly these entries when forced', () => {
    const mine = existing.replace('name: me', 'name: team-a-admin');
    const merged = parse(mergeKubeconfig(mine, addition, { ...options, force: true }).text) as Record<string, unknown>;
    expect(merged['users']).toEqual(addition.users);
    expect(merged['current-context']).toBe('office');
  });

  it.each(['just a text', '- a list', 'a: [', 'kind: Pod'])('does not touch what is no kubeconfig: %j', (text) => {
    expect(() => mergeKubeconfig(text, addition, { ...options, force: true })).toThrow(CliError);
  });

  it('reads lists that are null, as kubectl writes them', () => {
    const { text } = mergeKubeconfig('apiVersion: v1\nkind: Config\nclusters: null\nusers: []\n', addition, options);
    expect((parse(text) as TenantKubeconfig).clusters).toEqual(addition.clusters);
  });
});
