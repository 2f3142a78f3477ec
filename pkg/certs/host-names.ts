import { isIP } from 'node:net';

/** A label as hosts in clusters have it; underscores are no host's (RFC 1123), yet DNS and some clouds have them. */
const label = '[a-zA-Z0-9_](?:[a-zA-Z0-9_-]{0,61}[a-zA-Z0-9_])?';
const dnsName = new RegExp(String.raw`^(?:\*\.)?(?:${label}\.)*${label}$`);

/** Names and addresses, each kind apart. */
export interface Hosts {
  readonly dnsNames?: readonly string[];
  readonly ipAddresses?: readonly string[];
}

/**
 * Sorts names and addresses of mixed kinds into the fields of a `CertificateSpec`, without repetition. Brackets around
 * an IPv6 address and the dot that ends an absolute DNS name are left out: certificates have neither.
 *
 * **Errors** throws for what is neither an address nor a DNS name, such as `999.1.1.1`.
 */
export function sortHosts(hosts: readonly string[]): Required<Hosts> {
  const plain = hosts.map((host) => host.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, ''));
  const sorted = {
    dnsNames: [...new Set(plain.filter((host) => isIP(host) === 0))],
    ipAddresses: [...new Set(plain.filter((host) => isIP(host) !== 0).map(canonicalAddress))],
  };
  requireHosts(sorted);
  return sorted;
}

/**
 * Refuses what a certificate cannot hold as a DNS name or as an address.
 *
 * **Errors** throws and names the first of them.
 */
export function requireHosts({ dnsNames = [], ipAddresses = [] }: Hosts): void {
  const noName = dnsNames.find((name) => !isDnsName(name));
  if (noName !== undefined) {
    throw new Error(
      `${JSON.stringify(noName)} cannot be in a certificate: it is neither an IP address nor a DNS name of ASCII letters, digits and dashes (write other letters as xn--…)`,
    );
  }
  const noAddress = ipAddresses.find((address) => !isAddress(address));
  if (noAddress !== undefined) {
    throw new Error(
      `${JSON.stringify(noAddress)} cannot be in a certificate: it is not an IP address (a zone such as %eth0 is none of one)`,
    );
  }
}

/**
 * An address in the one form that two spellings of it share: IPv6 as RFC 5952 has it, but always in pure hexadecimal
 * (`::ffff:102:304`), which is also the only form that the certificate library encodes right. Others stay unchanged.
 */
export function canonicalAddress(address: string): string {
  if (isIP(address) !== 6 || !isAddress(address)) return address;
  return new URL(`http://[${address}]`).hostname.slice(1, -1);
}

/** A zone (`fe80::1%eth0`) has a meaning on one machine only, and no place in a certificate. */
function isAddress(text: string): boolean {
  return isIP(text) !== 0 && !text.includes('%');
}

/** All-numeric names are refused: programs read them as addresses. A namespace may be a number, as one label of many. */
function isDnsName(text: string): boolean {
  return text.length <= 253 && dnsName.test(text) && !/^[0-9.]+$/.test(text);
}
