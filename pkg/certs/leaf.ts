import { alternativeNamesOf, subjectOf, usageIds, type CertificateSpec } from './certificate-spec.ts';
import { expiryOf } from './expiry.ts';
import { requireHosts } from './host-names.ts';
import { inspectCertificate, type ExpectedCertificate } from './inspect.ts';
import { clockSkewMs, generateKeys, privateKeyPem, randomSerialNumber, wholeSeconds } from './key-pair.ts';
import type { CertificateAuthority, KeyPairPem } from './key-pair.ts';
import { splitPem } from './pem.ts';
import { importSigningKey } from './signing-key.ts';
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509Certificate,
  X509CertificateGenerator,
  type Extension,
} from './x509.ts';

/**
 * Makes a new ECDSA P-256 key and has `ca` sign a certificate for it, valid from five minutes before `now`. Where the
 * authority is an intermediate one, its issuers (but no root) follow the leaf in the PEM text.
 *
 * **Guarantees** a random 128-bit serial number; subject and authority key identifiers; the certificate never
 * outlives the authority; `inspectCertificate` finds nothing wrong with it, so nobody issues it again and again.
 *
 * **Errors** throws if the authority has expired or cannot be read (`inspectAuthority` finds both beforehand), and for
 * a name that a certificate cannot hold; the message quotes it.
 */
export async function issueCertificate(
  ca: CertificateAuthority,
  spec: CertificateSpec,
  now: Date,
): Promise<KeyPairPem> {
  requireHosts(spec);
  const issuer = new X509Certificate(ca.certificate);
  const { key: signingKey, algorithm: signingAlgorithm } = importSigningKey(ca.privateKey);
  const keys = await generateKeys();
  const certificate = await X509CertificateGenerator.create({
    serialNumber: randomSerialNumber(),
    subject: subjectOf(spec),
    issuer: issuer.subjectName,
    notBefore: wholeSeconds(now.getTime() - clockSkewMs),
    notAfter: expiryOf(spec, issuer.notAfter, now),
    publicKey: keys.publicKey,
    signingKey,
    signingAlgorithm,
    extensions: await extensionsOf(spec, issuer, await SubjectKeyIdentifierExtension.create(keys.publicKey)),
  });
  const chain = [certificate.toString('pem'), ...intermediatesOf(ca)];
  const pair = { certificate: `${chain.join('\n')}\n`, privateKey: privateKeyPem(keys.privateKey) };
  requireAsAsked(pair, { ca, spec, now });
  return pair;
}

/** What cannot be read back as it was asked for would be found changed, and issued anew, for ever. */
function requireAsAsked(pair: KeyPairPem, expected: ExpectedCertificate): void {
  const found = inspectCertificate(pair, expected);
  if (found === undefined) return;
  throw new Error(`the certificate of ${expected.spec.commonName} would not be as asked for: ${found.message}`);
}

async function extensionsOf(
  spec: CertificateSpec,
  issuer: X509Certificate,
  subjectKey: SubjectKeyIdentifierExtension,
): Promise<Extension[]> {
  const names = alternativeNamesOf(spec);
  return [
    new BasicConstraintsExtension(false, undefined, true),
    new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
    new ExtendedKeyUsageExtension(spec.usages.map((usage) => usageIds[usage])),
    subjectKey,
    await authorityKeyOf(issuer),
    ...(names.length > 0 ? [new SubjectAlternativeNameExtension(names)] : []),
  ];
}

/** Names the issuer's key as the issuer does itself: a user's authority may have computed it in another way. */
async function authorityKeyOf(issuer: X509Certificate): Promise<AuthorityKeyIdentifierExtension> {
  const own = issuer.getExtension(SubjectKeyIdentifierExtension);
  if (own !== null) return new AuthorityKeyIdentifierExtension(own.keyId);
  return AuthorityKeyIdentifierExtension.create(issuer.publicKey);
}

/** The authority's own certificate and what follows it, without roots: what a client that trusts the root must see. */
function intermediatesOf(ca: CertificateAuthority): string[] {
  return splitPem(ca.certificate).filter((pem) => {
    const { subject, issuer } = new X509Certificate(pem);
    return subject !== issuer;
  });
}
