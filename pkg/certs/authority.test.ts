import { X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { generateCertificateAuthority, inspectAuthority } from './index.ts';
import { opensslFolder } from './test-openssl.ts';

const now = new Date('2026-11-30T12:00:00.900Z');

describe('generateCertificateAuthority', () => {
  it('makes what openssl takes for a certificate authority', async () => {
    await using folder = await opensslFolder();
    const ca = await generateCertificateAuthority({ commonName: 'kubernetes', lifetimeDays: 3650 }, now);
    await folder.write({ 'ca.pem': ca.certificate, 'ca.key': ca.privateKey });
    const text = await folder.openssl('x509', '-in', 'ca.pem', '-noout', '-text');
    expect(text).toMatch(/Subject: CN = kubernetes/);
    expect(text).toMatch(/Basic Constraints: critical\s+CA:TRUE/);
    expect(text).toMatch(/Key Usage: critical\s+Certificate Sign, CRL Sign\n/);
    expect(text).toMatch(/Subject Key Identifier/);
    expect(text).toMatch(/NIST CURVE: P-256/);
    const at = String(Math.floor(now.getTime() / 1000));
    await folder.openssl('verify', '-x509_strict', '-attime', at, '-CAfile', 'ca.pem', 'ca.pem');
    expect(await folder.openssl('pkey', '-in', 'ca.key', '-pubout')).toBe(
      await folder.openssl('x509', '-in', 'ca.pem', '-noout', '-pubkey'),
    );
  });

  it('starts five minutes early, in whole seconds, and lives as long as asked', async () => {
    const ca = await generateCertificateAuthority({ commonName: 'a', lifetimeDays: 10_000 }, now);
    const read = new X509Certificate(ca.certificate);
    expect(read.validFromDate.toISOString()).toBe('2026-11-30T11:55:00.000Z');
    // After 2049 the other of the two time encodings is used (RFC 5280 section 4.1.2.5).
    expect(read.validToDate.toISOString()).toBe('2054-04-17T12:00:00.000Z');
  });

  it('gives every authority its own key and serial number', async () => {
    const spec = { commonName: 'a', lifetimeDays: 1 };
    const [a, b] = [await generateCertificateAuthority(spec, now), await generateCertificateAuthority(spec, now)];
    expect(a.privateKey).not.toBe(b.privateKey);
    expect(new X509Certificate(a.certificate).serialNumber).toMatch(/^[4-7][0-9A-F]{31}$/);
    expect(new X509Certificate(a.certificate).serialNumber).not.toBe(new X509Certificate(b.certificate).serialNumber);
  });

  it('is usable when a machine whose clock is 4 minutes behind looks at it', async () => {
    const ca = await generateCertificateAuthority({ commonName: 'a', lifetimeDays: 1 }, now);
    expect(inspectAuthority(ca, new Date(now.getTime() - 4 * 60_000))).toBeUndefined();
    expect(inspectAuthority(ca, new Date(now.getTime() - 6 * 60_000))?.problem).toBe('notYetValid');
  });
});
