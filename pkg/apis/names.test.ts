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

  it('are never those of another control plane, above all not the Secrets of the Cluster API contract', () => {
    const planes = new Map(neighbours('a').map((base) => [base, controlPlaneNames(base)]));
    expect(planes.size).toBeGreaterThan(20);
    for (const [base, { secrets }] of planes) {
      const others = [...planes].filter(([other]) => other !== base);
      const taken = others.flatMap(([other, theirs]) => [...contractNames(other), ...Object.values(theirs.secrets)]);
      expect(Object.values(secrets).filter((name) => taken.includes(name))).toEqual([]);
    }
  });

  it('end as Cluster API ends its own only where the contract gives that name', () => {
    const ofContract = contractNames('a');
    const ours = Object.values(controlPlaneNames('a').secrets).filter((name) => !ofContract.includes(name));
    expect(ours.filter((name) => purposes.some((purpose) => name.endsWith(`-${purpose}`)))).toEqual([]);
  });
});

/** What Cluster API's contract puts after the name of a cluster (contract page of control plane providers). */
const purposes = ['kubeconfig', 'ca', 'etcd', 'sa', 'proxy', 'apiserver-etcd-client'];

function contractNames(base: string): readonly string[] {
  return purposes.map((purpose) => `${base}-${purpose}`);
}

/** `base`, and every name that a control plane would need to have for one of its Secrets to be called as one of base. */
function neighbours(base: string): readonly string[] {
  const words = Object.values(controlPlaneNames(base).secrets).flatMap((name) => {
    const parts = name.split('-');
    return parts.map((_, count) => parts.slice(0, count + 1).join('-'));
  });
  return [...new Set([base, ...words, `${base}-syncer`, `${base}-controller-manager`, `${base}-front`])];
}
