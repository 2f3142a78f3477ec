import { X509Certificate as NodeCertificate } from 'node:crypto';
import { usageIds, type CertificateUsage } from './certificate-spec.ts';
import { canonicalAddress } from './host-names.ts';
import { SubjectAlternativeNameExtension, X509Certificate } from './x509.ts';

/** What a certificate says, without anything secret. */
export interface CertificateDescription {
  /** Hexadecimal, lower case. */
  readonly serialNumber: string;
  readonly notBefore: Date;
  readonly notAfter: Date;
  /** The whole subject, such as `O=capn:cluster-admins, CN=kubernetes-admin`. */
  readonly subject: string;
  readonly commonName: string;
  readonly organizations: readonly string[];
  readonly dnsNames: readonly string[];
  readonly ipAddresses: readonly string[];
  readonly uris: readonly string[];
  readonly usages: readonly CertificateUsage[];
  readonly isCA: boolean;
}

/**
 * Reads the first certificate of a PEM text.
 *
 * **Errors** throws if there is none that can be read.
 */
export function describeCertificate(certificatePem: string): CertificateDescription {
  // OpenSSL (Node) reads validity and usages; names come from the structured parser, because OpenSSL gives one text.
  const openssl = new NodeCertificate(certificatePem);
  const parsed = new X509Certificate(openssl.raw);
  const { subjectName } = parsed;
  const names = parsed.getExtension(SubjectAlternativeNameExtension)?.names.items ?? [];
  const valuesOf = (kind: 'dns' | 'ip' | 'url') => names.filter(({ type }) => type === kind).map(({ value }) => value);
  return {
    serialNumber: openssl.serialNumber.toLowerCase(),
    notBefore: openssl.validFromDate,
    notAfter: openssl.validToDate,
    subject: parsed.subject,
    commonName: subjectName.getField('CN')[0] ?? '',
    organizations: subjectName.getField('O'),
    dnsNames: valuesOf('dns'),
    ipAddresses: valuesOf('ip').map(canonicalAddress),
    uris: valuesOf('url'),
    usages: usagesOf(openssl.keyUsage ?? []),
    isCA: openssl.ca,
  };
}

/** Node calls extended key usages `keyUsage`. */
function usagesOf(ids: readonly string[]): CertificateUsage[] {
  return (['server', 'client'] as const).filter((usage) => ids.includes(usageIds[usage]));
}
