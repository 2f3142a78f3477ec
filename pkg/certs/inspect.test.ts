import { generateKeyPairSync } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  generateCertificateAuthority,
  inspectAuthority,
  inspectCertificate,
  issueCertificate,
  type CertificateAuthority,
  type CertificateSpec,
  type KeyPairPem,
} from './index.ts';
import { opensslFolder } from './test-openssl.ts';

const dayMs = 86_400_000;
const now = new Date('2026-11-30T12:00:00Z');
const after = (days: number) => new Date(now.getTime() + days * dayMs);
const spec: CertificateSpec = {
  commonName: 'kube-apiserver',
  organizations: ['a', 'b'],
  dnsNames: ['kubernetes', 'x.example.com'],
  ipAddresses: ['10.96.7.1', '2001:DB8:0:0::1'],
  uris: ['capn://control-plane/1'],
  usages: ['server', 'client'],
  lifetimeDays: 300,
};

let ca: CertificateAuthority;
let twin: CertificateAuthority;
let leaf: KeyPairPem;

beforeAll(async () => {
  ca = await generateCertificateAuthority({ commonName: 'kubernetes', lifetimeDays: 1000 }, now);
  twin = await generateCertificateAuthority({ commonName: 'kubernetes', lifetimeDays: 1000 }, now);
  leaf = await issueCertificate(ca, spec, now);
});

describe('inspectAuthority', () => {
  it('accepts a good one, alone too where a chain is not wanted', () => {
    expect(inspectAuthority(ca, now)).toBeUndefined();
    expect(inspectAuthority(ca, now, { chain: false })).toBeUndefined();
  });

  it('names each fault', async () => {
    const otherCurve = generateKeyPairSync('ec', { namedCurve: 'secp256k1' }).privateKey;
    const strange = otherCurve.export({ type: 'pkcs8', format: 'pem' }).toString();
    const faults: [string, Partial<KeyPairPem>, Date][] = [
      ['missing', {}, now],
      ['missing', { certificate: ca.certificate }, now],
      ['missing', { certificate: ca.certificate, privateKey: '' }, now],
      ['unreadable', { ...ca, certificate: 'nonsense' }, now],
      ['unreadable', { ...ca, privateKey: 'nonsense' }, now],
      ['unreadable', { ...ca, privateKey: strange }, now],
      ['keyMismatch', { ...ca, privateKey: twin.privateKey }, now],
      ['notCA', leaf, now],
      ['expired', ca, after(1000)],
      ['notYetValid', ca, after(-1)],
    ];
    for (const [problem, pem, at] of faults) expect(inspectAuthority(pem, at)?.problem).toBe(problem);
  });

  it('refuses an authority that may not sign certificates, and an encrypted key', async () => {
    await using folder = await opensslFolder();
    const words = ['req', '-x509', '-newkey', 'rsa:2048', '-keyout', 'ca.key', '-out', 'ca.pem', '-subj', '/CN=x'];
    await folder.openssl(...words, '-passout', 'pass:secret', '-addext', 'keyUsage=critical,digitalSignature');
    const certificate = await folder.openssl('x509', '-in', 'ca.pem');
    const plain = await folder.openssl('pkey', '-in', 'ca.key', '-passin', 'pass:secret');
    expect(inspectAuthority({ certificate, privateKey: plain }, new Date())?.problem).toBe('notCA');
    await folder.write({ 'plain.key': plain });
    const encrypted = await folder.openssl('pkcs8', '-topk8', '-in', 'plain.key', '-passout', 'pass:secret');
    expect(inspectAuthority({ certificate, privateKey: encrypted }, new Date())?.problem).toBe('unreadable');
  });

  it('never repeats key material in a message', () => {
    const secret = 'c2VjcmV0LWtleS1tYXRlcmlhbA==';
    const privateKey = `-----BEGIN PRIVATE KEY-----\n${secret}\n-----END PRIVATE KEY-----\n`;
    expect(inspectAuthority({ ...ca, privateKey }, now)?.message).not.toContain(secret);
  });
});

describe('inspectCertificate', () => {
  const inspect = (more: Partial<CertificateSpec> = {}, at = now) =>
    inspectCertificate(leaf, { ca, spec: { ...spec, ...more }, now: at })?.problem;

  it('accepts what was just issued, in whatever order and spelling the names come', () => {
    expect(inspect()).toBeUndefined();
    expect(
      inspect({
        organizations: ['b', 'a'],
        dnsNames: ['x.example.com', 'kubernetes', 'kubernetes'],
        ipAddresses: ['2001:db8::1', '10.96.7.1'],
        usages: ['client', 'server'],
      }),
    ).toBeUndefined();
  });

  it.each<[string, Partial<CertificateSpec>]>([
    ['common name (without "other", with "kube-apiserver")', { commonName: 'other' }],
    ['organizations (with "b")', { organizations: ['a'] }],
    ['DNS names (without "new.example.com")', { dnsNames: ['kubernetes', 'x.example.com', 'new.example.com'] }],
    ['IP addresses (with "2001:db8::1")', { ipAddresses: ['10.96.7.1'] }],
    ['IP addresses (without "::ffff:a60:701")', { ipAddresses: [...(spec.ipAddresses ?? []), '::ffff:10.96.7.1'] }],
    ['URIs (with "capn://control-plane/1")', { uris: [] }],
    ['usages (with "client")', { usages: ['server'] }],
  ])('says what changed: %s', (what, more) => {
    const found = inspectCertificate(leaf, { ca, spec: { ...spec, ...more }, now });
    expect(found).toEqual({ problem: 'specChanged', message: `changed since it was issued: ${what}` });
  });

  it('asks for renewal after two thirds of the life, then calls it expired', () => {
    expect(inspect({}, after(199))).toBeUndefined();
    expect(inspect({}, after(201))).toBe('renewalDue');
    expect(inspect({}, after(300))).toBe('expired');
  });

  it('does not renew again and again where the authority ends with the certificate', async () => {
    const short = await generateCertificateAuthority({ commonName: 'short', lifetimeDays: 90 }, now);
    const bounded = await issueCertificate(short, spec, now);
    expect(inspectCertificate(bounded, { ca: short, spec, now: after(89) })).toBeUndefined();
    expect(inspectCertificate(bounded, { ca: short, spec, now: after(90) })?.problem).toBe('expired');
  });

  it('finds a certificate of an authority that was replaced by one of the same name', () => {
    expect(inspectCertificate(leaf, { ca: twin, spec, now })?.problem).toBe('wrongIssuer');
  });

  it('finds missing, garbled and mixed-up parts', async () => {
    const other = await issueCertificate(ca, spec, now);
    const problemOf = (pem: Partial<KeyPairPem>) => inspectCertificate(pem, { ca, spec, now })?.problem;
    expect(problemOf({})).toBe('missing');
    expect(problemOf({ ...leaf, certificate: leaf.certificate.slice(0, 200) })).toBe('unreadable');
    expect(problemOf({ ...leaf, privateKey: other.privateKey })).toBe('keyMismatch');
  });
});
