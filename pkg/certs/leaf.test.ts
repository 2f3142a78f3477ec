import { X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { generateCertificateAuthority, inspectAuthority, issueCertificate, type CertificateSpec } from './index.ts';
import { splitPem } from './pem.ts';
import { opensslFolder, type OpensslFolder } from './test-openssl.ts';

const now = new Date();
const spec: CertificateSpec = {
  commonName: 'kube-apiserver',
  organizations: ['capn:a', 'with, comma + plus'],
  dnsNames: ['kubernetes', '*.team-a.example.com'],
  ipAddresses: ['10.96.7.1', '2001:db8::1'],
  uris: ['capn://control-plane/7d1f'],
  usages: ['server', 'client'],
  lifetimeDays: 365,
};

const verified = (folder: OpensslFolder, ...more: string[]) =>
  folder.openssl('verify', '-CAfile', 'ca.pem', ...more, 'leaf.pem');

describe('issueCertificate', () => {
  it('issues what openssl verifies for both usages, with each name under its own kind', async () => {
    await using folder = await opensslFolder();
    const ca = await generateCertificateAuthority({ commonName: 'kubernetes', lifetimeDays: 3650 }, now);
    const leaf = await issueCertificate(ca, spec, now);
    await folder.write({ 'ca.pem': ca.certificate, 'leaf.pem': leaf.certificate, 'leaf.key': leaf.privateKey });
    expect(
      await verified(folder, '-x509_strict', '-purpose', 'sslserver', '-verify_hostname', 'a.team-a.example.com'),
    ).toMatch(/OK/);
    expect(await verified(folder, '-purpose', 'sslclient', '-verify_ip', '2001:db8::1')).toMatch(/OK/);
    const text = await folder.openssl('x509', '-in', 'leaf.pem', '-noout', '-text');
    expect(text).toMatch(
      /DNS:kubernetes, DNS:\*\.team-a\.example\.com, IP Address:10\.96\.7\.1, IP Address:2001:DB8:0:0:0:0:0:1, URI:capn:\/\/control-plane\/7d1f\n/,
    );
    expect(text).toMatch(/O = capn:a, O = "with, comma \+ plus", CN = kube-apiserver/);
    expect(text).toMatch(/CA:FALSE/);
    expect(text).toMatch(/Authority Key Identifier/);
    expect(await folder.openssl('pkey', '-in', 'leaf.key', '-pubout')).toBe(
      await folder.openssl('x509', '-in', 'leaf.pem', '-noout', '-pubkey'),
    );
  });

  it('issues what Node matches to hosts, addresses and the authority, and to nothing else', async () => {
    const ca = await generateCertificateAuthority({ commonName: 'kubernetes', lifetimeDays: 3650 }, now);
    const twin = await generateCertificateAuthority({ commonName: 'kubernetes', lifetimeDays: 3650 }, now);
    const leaf = new X509Certificate((await issueCertificate(ca, spec, now)).certificate);
    expect(leaf.checkHost('kubernetes')).toBe('kubernetes');
    expect(leaf.checkHost('x.team-a.example.com')).toBe('*.team-a.example.com');
    expect(leaf.checkHost('x.y.team-a.example.com')).toBeUndefined();
    expect(leaf.checkHost('10.96.7.1')).toBeUndefined();
    expect(leaf.checkIP('10.96.7.1')).toBe('10.96.7.1');
    expect(leaf.checkIssued(new X509Certificate(ca.certificate))).toBe(true);
    expect(leaf.verify(new X509Certificate(ca.certificate).publicKey)).toBe(true);
    expect(leaf.checkIssued(new X509Certificate(twin.certificate))).toBe(false);
  });

  it('keeps a client certificate from serving', async () => {
    await using folder = await opensslFolder();
    const ca = await generateCertificateAuthority({ commonName: 'kubernetes', lifetimeDays: 3650 }, now);
    const leaf = await issueCertificate(ca, { commonName: 'x', usages: ['client'], lifetimeDays: 1 }, now);
    await folder.write({ 'ca.pem': ca.certificate, 'leaf.pem': leaf.certificate });
    await expect(verified(folder, '-purpose', 'sslserver')).rejects.toThrow(/unsuitable certificate purpose/);
    expect(await folder.openssl('x509', '-in', 'leaf.pem', '-noout', '-text')).not.toMatch(/Alternative Name/);
  });

  it('never outlives its authority, and is not issued by an expired one', async () => {
    const ca = await generateCertificateAuthority({ commonName: 'kubernetes', lifetimeDays: 30 }, now);
    const leaf = new X509Certificate((await issueCertificate(ca, spec, now)).certificate);
    expect(leaf.validToDate).toEqual(new X509Certificate(ca.certificate).validToDate);
    const later = new Date(now.getTime() + 31 * 86_400_000);
    await expect(issueCertificate(ca, spec, later)).rejects.toThrow(/expired at/);
  });

  it.each([
    ['RSA, PKCS#1', ['-newkey', 'rsa:2048'], ['rsa', '-traditional']],
    ['RSA, PKCS#8', ['-newkey', 'rsa:2048'], undefined],
    ['P-384, SEC 1', ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-384'], ['ec']],
    ['Ed25519', ['-newkey', 'ed25519'], undefined],
  ])("signs with a user's authority: %s", async (_, keyOptions, conversion) => {
    await using folder = await opensslFolder();
    const subject = ['-subj', '/O=Exämple/CN=Corp Root', '-utf8'];
    await folder.openssl('req', '-x509', ...keyOptions, '-nodes', '-keyout', 'ca.key', '-out', 'ca.pem', ...subject);
    const [program = 'pkey', ...flags] = conversion ?? [];
    const privateKey = await folder.openssl(program, '-in', 'ca.key', ...flags);
    const ca = { certificate: await folder.openssl('x509', '-in', 'ca.pem'), privateKey };
    // openssl's certificates start now; ours is looked at a moment later.
    expect(inspectAuthority(ca, new Date(Date.now() + 1000))).toBeUndefined();
    await folder.write({ 'leaf.pem': (await issueCertificate(ca, spec, new Date())).certificate });
    expect(await verified(folder, '-purpose', 'sslserver')).toMatch(/OK/);
  });

  it("sends a user's intermediate authority along, but no root", async () => {
    await using folder = await opensslFolder();
    await makeIntermediate(folder);
    const chain = `${await folder.openssl('x509', '-in', 'int.pem')}${await folder.openssl('x509', '-in', 'ca.pem')}`;
    const ca = { certificate: chain, privateKey: await folder.openssl('pkey', '-in', 'int.key') };
    expect(inspectAuthority(ca, new Date(Date.now() + 1000))).toBeUndefined();
    expect(inspectAuthority(ca, new Date(Date.now() + 1000), { chain: false })?.problem).toBe('unreadable');
    const leaf = await issueCertificate(ca, spec, new Date());
    expect(splitPem(leaf.certificate)).toHaveLength(2);
    await folder.write({ 'leaf.pem': leaf.certificate });
    expect(await verified(folder, '-untrusted', 'leaf.pem')).toMatch(/OK/);
  });
});

async function makeIntermediate({ openssl, write }: OpensslFolder): Promise<void> {
  const newKey = ['-newkey', 'rsa:2048', '-nodes'];
  await openssl('req', '-x509', ...newKey, '-keyout', 'ca.key', '-out', 'ca.pem', '-subj', '/CN=Root');
  await openssl('req', ...newKey, '-keyout', 'int.key', '-out', 'int.csr', '-subj', '/CN=Intermediate');
  await write({
    'int.ext':
      'basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign\nsubjectKeyIdentifier=hash\nauthorityKeyIdentifier=keyid\n',
  });
  const signer = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial'];
  await openssl('x509', '-req', '-in', 'int.csr', ...signer, '-out', 'int.pem', '-extfile', 'int.ext', '-days', '30');
}
