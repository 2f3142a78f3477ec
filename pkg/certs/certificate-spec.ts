import { isIP, SocketAddress } from 'node:net';
import type { JsonGeneralNames, JsonName } from './x509.ts';

/** What a leaf certificate may be used for (extended key usage). */
export type CertificateUsage = 'server' | 'client';

/** A leaf certificate, before it is signed. In Kubernetes a client's common name is its user, organizations its groups. */
export interface CertificateSpec {
  readonly commonName: string;
  readonly organizations?: readonly string[];
  /** DNS names; the leftmost label may be `*`. */
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
    ...(spec.ipAddresses ?? []).map((value) => ({ type: 'ip' as const, value })),
    ...(spec.uris ?? []).map((value) => ({ type: 'url' as const, value })),
  ];
}

/** Names and addresses of mixed kinds, sorted into the fields of a {@link CertificateSpec}, without repetition. */
export function sortHosts(hosts: readonly string[]): { dnsNames: string[]; ipAddresses: string[] } {
  const plain = hosts.map((host) => host.replace(/^\[(.*)\]$/, '$1'));
  return {
    dnsNames: [...new Set(plain.filter((host) => isIP(host) === 0))],
    ipAddresses: [...new Set(plain.filter((host) => isIP(host) !== 0).map(canonicalAddress))],
  };
}

/** An address in its shortest usual form, so that two spellings of one compare as equal. */
export function canonicalAddress(address: string): string {
  return isIP(address) === 6 ? new SocketAddress({ address, family: 'ipv6' }).address : address;
}
