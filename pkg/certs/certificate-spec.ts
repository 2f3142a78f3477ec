import { canonicalAddress } from './host-names.ts';
import type { JsonGeneralNames, JsonName } from './x509.ts';

/** What a leaf certificate may be used for (extended key usage). */
export type CertificateUsage = 'server' | 'client';

/** A leaf certificate, before it is signed. In Kubernetes a client's common name is its user, organizations its groups. */
export interface CertificateSpec {
  readonly commonName: string;
  readonly organizations?: readonly string[];
  /** DNS names in ASCII; the leftmost label may be `*`. */
  readonly dnsNames?: readonly string[];
  /** IPv4 and IPv6 addresses. */
  readonly ipAddresses?: readonly string[];
  readonly uris?: readonly string[];
  readonly usages: readonly CertificateUsage[];
  /** Days; cut short where the authority ends sooner. */
  readonly lifetimeDays: number;
}

/** Object identifiers of the usages (RFC 5280 section 4.2.1.12). */
export const usageIds = {
  server: '1.3.6.1.5.5.7.3.1',
  client: '1.3.6.1.5.5.7.3.2',
} as const satisfies Record<CertificateUsage, string>;

/** The subject as one attribute a relative name, each organization apart. */
export function subjectOf(spec: CertificateSpec): JsonName {
  const organizations = (spec.organizations ?? []).map((organization) => ({ O: [organization] }));
  return [...organizations, { CN: [spec.commonName] }];
}

/** The subject alternative names, each under its own kind. */
export function alternativeNamesOf(spec: CertificateSpec): JsonGeneralNames {
  return [
    ...(spec.dnsNames ?? []).map((value) => ({ type: 'dns' as const, value })),
    ...(spec.ipAddresses ?? []).map((value) => ({ type: 'ip' as const, value: canonicalAddress(value) })),
    ...(spec.uris ?? []).map((value) => ({ type: 'url' as const, value })),
  ];
}
