import { describe, expect, it } from 'vitest';
import { controlPlaneNames, derivedName } from './names.ts';

describe('derived names', () => {
  it('join base and suffix while they fit', () => {
    expect(derivedName('team-a', 'etcd')).toBe('team-a-etcd');
    expect(derivedName('a'.repeat(47), 'etcd')).toHaveLength(52);
  });

  it('are cut to 52 characters that end in a hash, and never meet', () => {
    const one = derivedName(`${'a'.repeat(62)}1`, 'apiserver');
    const two = derivedName(`${'a'.repeat(62)}2`, 'apiserver');
    for (const name of [one, two]) {
      expect(name.length).toBeLessThanOrEqual(52);
      expect(name).toMatch(/^[a-z]([-a-z0-9]*[a-z0-9])?-apiserver-[0-9a-f]{8}$/);
    }
    expect(one).not.toBe(two);
  });

  it('do not end in a dash where they are cut', () => {
    expect(derivedName(`${'a'.repeat(33)}-----${'b'.repeat(20)}`, 'apiserver')).not.toContain('--');
  });

  it('leave the Secrets of the Cluster API contract whole', () => {
    const base = 'b'.repeat(63);
    const { secrets } = controlPlaneNames(base);
    expect([secrets.ca, secrets.etcdCA, secrets.frontProxyCA, secrets.serviceAccount, secrets.adminKubeconfig]).toEqual(
      ['ca', 'etcd', 'proxy', 'sa', 'kubeconfig'].map((purpose) => `${base}-${purpose}`),
    );
  });

  it('are all different for one control plane', () => {
    const { secrets, ...objects } = controlPlaneNames('team-a');
    expect(new Set(Object.values(secrets)).size).toBe(Object.values(secrets).length);
    expect(new Set(Object.values(objects)).size).toBe(Object.values(objects).length);
  });
});
