import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import type { CertificateSpec } from './certificate-spec.ts';
import { describeCertificate } from './describe.ts';
import { expiryOf } from './expiry.ts';
import type { Finding } from './finding.ts';
import { canonicalAddress } from './host-names.ts';
import type { KeyPairPem } from './key-pair.ts';
import { splitPem } from './pem.ts';
import { canSign, signingKeyKinds } from './signing-key.ts';

interface Pair {
  readonly certificate: X509Certificate;
  readonly key: KeyObject;
}

/** What an authority is held to beyond being one. */
export interface AuthorityRules {
  /**
   * Whether issuers may follow the signing certificate; default true. Not for the tenant's own authority: the signer
   * in kube-controller-manager stops at a file that holds more than one certificate.
   */
  readonly chain: boolean;
}

/**
 * Says why an authority cannot be used, or undefined if it can. For authorities that users bring, RSA and chains
 * (the signing certificate first) included.
 */
export function inspectAuthority(
  pem: Partial<KeyPairPem>,
  now: Date,
  rules: AuthorityRules = { chain: true },
): Finding | undefined {
  const pair = readPair(pem);
  if ('problem' in pair) return pair;
  const { certificate, key } = pair;
  if (!certificate.ca) {
    return finding('notCA', 'the certificate is not a CA: it needs basicConstraints CA:TRUE and key usage keyCertSign');
  }
  if (!canSign(key)) return finding('unreadable', `the key cannot sign certificates; use ${signingKeyKinds}`);
  if (!rules.chain && splitPem(pem.certificate ?? '').length > 1) {
    return finding('unreadable', 'tls.crt holds a chain; here it must hold the signing certificate alone');
  }
  return mismatch(pair) ?? outOfTime(certificate, now);
}

/** What a leaf certificate is compared with. */
export interface ExpectedCertificate {
  readonly ca: Pick<KeyPairPem, 'certificate'>;
  readonly spec: CertificateSpec;
  readonly now: Date;
}

/**
 * Says why a leaf certificate has to be issued anew, or undefined if it is good. Renewal is due after two thirds of
 * its life, unless the authority ends with it, so that a new one would last no longer.
 */
export function inspectCertificate(
  pem: Partial<KeyPairPem>,
  { ca, spec, now }: ExpectedCertificate,
): Finding | undefined {
  const pair = readPair(pem);
  if ('problem' in pair) return pair;
  const authority = new X509Certificate(ca.certificate);
  return (
    mismatch(pair) ??
    wrongIssuer(pair.certificate, authority) ??
    outOfTime(pair.certificate, now) ??
    specChanged(pem.certificate ?? '', spec) ??
    renewalDue(pair.certificate, { authority, spec, now })
  );
}

function finding(problem: Finding['problem'], message: string): Finding {
  return { problem, message };
}

function readPair({ certificate, privateKey }: Partial<KeyPairPem>): Pair | Finding {
  if (!certificate) return finding('missing', 'the certificate (tls.crt) is missing');
  if (!privateKey) return finding('missing', 'the private key (tls.key) is missing');
  try {
    const read = new X509Certificate(certificate);
    return { certificate: read, key: createPrivateKey(privateKey) };
  } catch {
    // OpenSSL's own message is dropped: it could quote what it read.
    return finding('unreadable', 'tls.crt must be a PEM certificate and tls.key its unencrypted PEM private key');
  }
}

function mismatch({ certificate, key }: Pair): Finding | undefined {
  if (certificate.checkPrivateKey(key)) return undefined;
  return finding('keyMismatch', 'the private key (tls.key) does not belong to the first certificate in tls.crt');
}

/** `checkIssued` compares names and identifiers only, `verify` the signature only: both are needed. */
function wrongIssuer(certificate: X509Certificate, authority: X509Certificate): Finding | undefined {
  if (certificate.checkIssued(authority) && certificate.verify(authority.publicKey)) return undefined;
  return finding('wrongIssuer', 'the certificate was not issued by the present authority');
}

function outOfTime(certificate: X509Certificate, now: Date): Finding | undefined {
  const { validFromDate, validToDate } = certificate;
  if (now < validFromDate) return finding('notYetValid', `not valid before ${validFromDate.toISOString()}`);
  if (now >= validToDate) return finding('expired', `expired at ${validToDate.toISOString()}`);
  return undefined;
}

function specChanged(certificatePem: string, spec: CertificateSpec): Finding | undefined {
  const is = describeCertificate(certificatePem);
  const changed = [
    difference('common name', [is.commonName], [spec.commonName]),
    difference('organizations', is.organizations, spec.organizations),
    difference('DNS names', is.dnsNames, spec.dnsNames),
    difference('IP addresses', is.ipAddresses, spec.ipAddresses?.map(canonicalAddress)),
    difference('URIs', is.uris, spec.uris),
    difference('usages', is.usages, spec.usages),
  ].filter((text) => text !== undefined);
  return changed.length === 0
    ? undefined
    : finding('specChanged', `changed since it was issued: ${changed.join('; ')}`);
}

/** Which values are to come and to go, as sets; undefined if there are none. */
function difference(what: string, is: readonly string[], wanted: readonly string[] = []): string | undefined {
  const quoted = (values: readonly string[]) => [...new Set(values)].map((value) => JSON.stringify(value)).join(', ');
  const missing = quoted(wanted.filter((value) => !is.includes(value)));
  const surplus = quoted(is.filter((value) => !wanted.includes(value)));
  const parts = [missing && `without ${missing}`, surplus && `with ${surplus}`].filter((part) => part !== '');
  return parts.length === 0 ? undefined : `${what} (${parts.join(', ')})`;
}

interface RenewalInputs {
  readonly authority: X509Certificate;
  readonly spec: CertificateSpec;
  readonly now: Date;
}

function renewalDue(certificate: X509Certificate, { authority, spec, now }: RenewalInputs): Finding | undefined {
  const start = certificate.validFromDate.getTime();
  const end = certificate.validToDate.getTime();
  const dueAt = new Date(start + ((end - start) * 2) / 3);
  // Near the authority's end every new certificate would end with it: renewing would only repeat itself.
  const lastsLonger = authority.validToDate > now && expiryOf(spec, authority.validToDate, now).getTime() > end;
  if (now < dueAt || !lastsLonger) return undefined;
  return finding('renewalDue', `renewal is due since ${dueAt.toISOString()}`);
}
