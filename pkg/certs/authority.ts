import { clockSkewMs, generateKeys, privateKeyPem, randomSerialNumber, wholeSeconds } from './key-pair.ts';
import type { CertificateAuthority } from './key-pair.ts';
import {
  BasicConstraintsExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectKeyIdentifierExtension,
  X509CertificateGenerator,
} from './x509.ts';

/** Milliseconds in a day. */
export const dayMs = 86_400_000;

/** What a self-signed authority is made from. */
export interface AuthoritySpec {
  readonly commonName: string;
  readonly lifetimeDays: number;
}

/**
 * Makes a self-signed certificate authority: ECDSA P-256, `CA:true`, key usages certificate and CRL signing, a subject
 * key identifier. It is valid from five minutes before `now`.
 */
export async function generateCertificateAuthority(spec: AuthoritySpec, now: Date): Promise<CertificateAuthority> {
  const keys = await generateKeys();
  const certificate = await X509CertificateGenerator.createSelfSigned({
    serialNumber: randomSerialNumber(),
    name: [{ CN: [spec.commonName] }],
    notBefore: wholeSeconds(now.getTime() - clockSkewMs),
    notAfter: wholeSeconds(now.getTime() + spec.lifetimeDays * dayMs),
    keys,
    signingAlgorithm: { name: 'ECDSA', hash: 'SHA-256' },
    extensions: [
      new BasicConstraintsExtension(true, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { certificate: `${certificate.toString('pem')}\n`, privateKey: privateKeyPem(keys.privateKey) };
}
