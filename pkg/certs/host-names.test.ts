import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import { canonicalAddress, sortHosts } from './host-names.ts';
import {
  generateCertificateAuthority,
  inspectCertificate,
  issueCertificate,
  type CertificateAuthority,
  type CertificateSpec,
} from './index.ts';

const now = new Date('2026-11-30T12:00:00Z');
const specOf = (more: Partial<CertificateSpec>): CertificateSpec => ({
  commonName: 'x',
  usages: ['server'],
  lifetimeDays: 30,
  ...more,
});

let ca: CertificateAuthority;
beforeAll(async () => {
  ca = await generateCertificateAuthority({ commonName: 'kubernetes', lifetimeDays: 1000 }, now);
});
const issue = async (spec: CertificateSpec) => await issueCertificate(ca, spec, now);

/** 8 groups from 32 bits, with runs of zeros of every length and place, and small and large groups. */
function groupsOf(seed: number): readonly number[] {
  return Array.from({ length: 8 }, (_, index) => {
    const kind = (seed >> (index * 2)) & 3;
    return kind < 2 ? 0 : kind === 2 ? (seed % 15) + 1 : (seed * (index + 3)) & 0xffff;
  });
}

/** One address in many spellings: full, upper case, shortest, and with its end as IPv4. */
function spellings(groups: readonly number[]): readonly string[] {
  const hex = groups.map((group) => group.toString(16));
  const [g = 0, h = 0] = groups.slice(6);
  const end = [g >> 8, g & 255, h >> 8, h & 255].join('.');
  const full = hex.join(':');
  return [
    full,
    hex.map((group) => group.padStart(4, '0').toUpperCase()).join(':'),
    new URL(`http://[${full}]`).hostname.slice(1, -1),
    `${hex.slice(0, 6).join(':')}:${end}`,
  ];
}

const seeds = Array.from({ length: 200 }, (_, index) => Math.imul(index + 1, 0x9e3779b1) >>> 0);
const someIPv6 = [
  ...seeds.map(groupsOf).map(spellings),
  ...['1.2.3.4', '255.255.255.255'].flatMap((end) => [[`::ffff:${end}`], [`::${end}`], [`64:ff9b::${end}`]]),
  ...['::', '::1', '1::', 'fe80::1', '::ffff:0:0', '2001:DB8:0:0::1', '1:0:0:2:0:0:0:3'].map((one) => [one]),
];
const someIPv4 = ['0.0.0.0', '127.0.0.1', '255.255.255.255', ...seeds.slice(0, 40).map(toIPv4)];
const label63 = 'a'.repeat(63);
const someNames = [
  'a',
  '*.example.com',
  'xn--mnchen-3ya.example',
  'UPPER.example.COM',
  'kubernetes.default.svc.cluster.local',
  'team-a-apiserver.123',
  '1a.2b.3c',
  'a_b.example.com',
  `${label63}.${label63}.${label63}.${'b'.repeat(61)}`,
];

function toIPv4(seed: number): string {
  return [24, 16, 8, 0].map((shift) => (seed >>> shift) & 255).join('.');
}

describe('whatever the names are', () => {
  it('a certificate just issued needs no other, and OpenSSL finds each address in it', async () => {
    const ipAddresses = [...someIPv6.flat(), ...someIPv4];
    const spec = specOf({ dnsNames: someNames, ipAddresses });
    const leaf = await issue(spec);
    expect(inspectCertificate(leaf, { ca, spec, now })).toBeUndefined();
    const read = new X509Certificate(leaf.certificate);
    expect(ipAddresses.filter((address) => read.checkIP(address) === undefined)).toEqual([]);
    expect(someNames.filter((name) => read.checkHost(name.replace('*', 'any')) === undefined)).toEqual([]);
  });

  it.each(['::ffff:1.2.3.4', '::1.2.3.4', '64:ff9b::192.0.2.1', '::', '2001:DB8::A'])(
    'a certificate for %s alone is for that address and for no other',
    async (address) => {
      const spec = specOf(sortHosts([address]));
      const leaf = await issue(spec);
      expect(inspectCertificate(leaf, { ca, spec, now })).toBeUndefined();
      const read = new X509Certificate(leaf.certificate);
      expect(read.checkIP(address)).toBeDefined();
      expect(['::1', '::255.255.0.1', '1.2.3.4'].filter((other) => read.checkIP(other) !== undefined)).toEqual([]);
    },
  );
});

describe('issueCertificate', () => {
  it.each([
    'münchen.example',
    'a b',
    '',
    '.',
    'a..b',
    '-a',
    'a-',
    'a.*.b',
    '**.a',
    '999.1.1.1',
    '1',
    `${label63}a`,
    '::1',
  ])('refuses %j as a DNS name', async (name) => {
    await expect(issue(specOf({ dnsNames: ['fine', name] }))).rejects.toThrow(
      `${JSON.stringify(name)} cannot be in a certificate: it is neither an IP address nor a DNS name`,
    );
  });

  it.each(['fe80::1%eth0', '999.1.1.1', '01.2.3.4', '1.2.3', '10.0.0.0/8', 'example.com', ':::', ''])(
    'refuses %j as an address',
    async (address) => {
      await expect(issue(specOf({ ipAddresses: ['192.0.2.1', address] }))).rejects.toThrow(
        `${JSON.stringify(address)} cannot be in a certificate: it is not an IP address`,
      );
    },
  );

  it('hands out nothing that says other than it was asked for, and names what it would be', async () => {
    await expect(issue(specOf({ uris: ['capn://control-plane/→'] }))).rejects.toThrow(
      /^the certificate of x would not be as asked for: .*URIs \(without "capn:\/\/control-plane\/→"/,
    );
  });
});

describe('sortHosts', () => {
  it('knows addresses from names, each once, however they are spelt', () => {
    const hosts = [
      'a.example.org.',
      'a.example.org',
      '[::1]',
      '0:0::1',
      '192.0.2.7',
      '::ffff:1.2.3.4',
      '::ffff:102:304',
    ];
    expect(sortHosts(hosts)).toEqual({
      dnsNames: ['a.example.org'],
      ipAddresses: ['::1', '192.0.2.7', '::ffff:102:304'],
    });
  });

  it.each(['999.1.1.1', '1.2.3', '256.0.0.1', '01.2.3.4', '12345', 'ü.example', '', 'fe80::1%eth0', '10.0.0.0/8'])(
    'refuses %j',
    (host) => expect(() => sortHosts(['fine', host])).toThrow(`${JSON.stringify(host)} cannot be in a certificate`),
  );
});

describe('canonicalAddress', () => {
  it('gives all spellings of one address one form, in which it is still that address', () => {
    for (const addresses of someIPv6) {
      const [form = '', ...others] = new Set(addresses.map(canonicalAddress));
      expect(others).toEqual([]);
      expect(form).toMatch(/^[0-9a-f:]+$/);
      expect(isIP(form)).toBe(6);
      expect(canonicalAddress(form)).toBe(form);
    }
  });

  it.each(['192.0.2.7', 'fe80::1%eth0', 'nonsense'])('leaves %s alone', (text) => {
    expect(canonicalAddress(text)).toBe(text);
  });
});
