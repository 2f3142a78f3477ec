import { describe, expect, it } from 'vitest';
import { controlPlaneNames, derivedName } from './names.ts';

const label = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;

describe('derivedName', () => {
  it('joins base and suffix where that is short enough', () => {
    expect(derivedName('team-a', 'etcd')).toBe('team-a-etcd');
    expect(derivedName('a'.repeat(47), 'etcd')).toBe(`${'a'.repeat(47)}-etcd`);
  });

  it('cuts what passes 52 characters and ends it in a hash', () => {
    const name = derivedName('a'.repeat(63), 'controller-manager');
    expect(name).toMatch(/^a+-controller-manager-[0-9a-f]{8}$/);
    expect(name).toHaveLength(52);
  });

  it('leaves no two dashes where it cuts', () => {
    expect(derivedName(`${'a'.repeat(30)}${'-'.repeat(20)}b`, 'etcd')).toMatch(/^a{30}-etcd-[0-9a-f]{8}$/);
  });

  it('keeps long names apart that differ at their end only', () => {
    const base = 'a'.repeat(62);
    expect(derivedName(`${base}x`, 'etcd')).not.toBe(derivedName(`${base}y`, 'etcd'));
  });
});

it.each(['a', 'team-a', 'a'.repeat(63)])('[F-name-63] gives %s names that Kubernetes takes', (base) => {
  const { secrets, ...objects } = controlPlaneNames(base);
  for (const name of Object.values(objects)) {
    expect(name).toMatch(label);
    expect(name.length).toBeLessThanOrEqual(52);
  }
  expect(new Set(Object.values(secrets)).size).toBe(Object.values(secrets).length);
  expect(secrets).toMatchObject({
    ca: `${base}-ca`,
    adminKubeconfig: `${base}-kubeconfig`,
    serviceAccount: `${base}-sa`,
  });
});
