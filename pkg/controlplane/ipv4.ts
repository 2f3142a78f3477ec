/** An IPv4 network as numbers: the first address, and how many there are. */
export interface Ipv4Network {
  readonly first: number;
  readonly size: number;
}

/** Reads `10.96.0.0/16`; undefined when it is not an IPv4 network (IPv6 included). */
export function parseNetwork(cidr: string): Ipv4Network | undefined {
  const [address = '', prefixText = ''] = cidr.split('/');
  const prefix = Number(prefixText);
  const number = parseAddress(address);
  if (number === undefined || !Number.isInteger(prefix) || prefix < 0 || prefix > 32 || prefixText === '')
    return undefined;
  const size = 2 ** (32 - prefix);
  return { first: number - (number % size), size };
}

/** Reads a dotted address into a number below 2^32; undefined when it is not one. */
export function parseAddress(text: string): number | undefined {
  const parts = text.split('.');
  if (parts.length !== 4 || !parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) < 256)) return undefined;
  return parts.reduce((sum, part) => sum * 256 + Number(part), 0);
}

/** The dotted text of a number below 2^32. */
export function formatAddress(address: number): string {
  return [24, 16, 8, 0].map((shift) => Math.floor(address / 2 ** shift) % 256).join('.');
}

/** Whether `inner` lies in `outer` as a whole. */
export function contains(outer: Ipv4Network, inner: Ipv4Network): boolean {
  return inner.first >= outer.first && inner.first + inner.size <= outer.first + outer.size;
}
