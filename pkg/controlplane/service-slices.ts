import { createHash } from 'node:crypto';
import { contains, formatAddress, parseAddress, parseNetwork, type Ipv4Network } from './ipv4.ts';

/** Slices are /24s on a fixed grid, so that two claims can never overlap without being for the same address. */
const sliceSize = 256;

/**
 * Super keeps the first addresses of each range to itself: its own fixed Services live there, and its allocator's
 * static band is at most 256 addresses (KEP-3070).
 */
const reservedForSuper = 256;

/** A tenant's range of Service addresses, and the address in it that claims it (base + 1). */
export interface ServiceSlice {
  readonly cidr: string;
  readonly address: string;
}

/** What is known of super's Service addresses when a slice is chosen. */
export interface ServiceRanges {
  /** CIDRs of super's ServiceCIDR objects; IPv6 ones are passed over. */
  readonly cidrs: readonly string[];
  /** Addresses that are taken now (names of IPAddress objects). */
  readonly taken: ReadonlySet<string>;
}

/**
 * The slices that nobody has claimed, in the order to try them: from a place that depends on `seed` (the control
 * plane's UID), so that control planes created at once seldom compete. A slice is free when its base + 1 is.
 */
export function freeSlices(ranges: ServiceRanges, seed: string): readonly ServiceSlice[] {
  const free = gridOf(ranges.cidrs).filter((slice) => !ranges.taken.has(slice.address));
  if (free.length === 0) return [];
  const start = createHash('sha256').update(seed).digest().readUInt32BE(0) % free.length;
  return [...free.slice(start), ...free.slice(0, start)];
}

/** How many slices super's ranges hold in all. */
export function countSlices(cidrs: readonly string[]): number {
  return gridOf(cidrs).length;
}

/** The slice that an address claims; undefined when the address is not a slice's base + 1. */
export function sliceOfAddress(address: string): ServiceSlice | undefined {
  const number = parseAddress(address);
  if (number === undefined || number % sliceSize !== 1) return undefined;
  return sliceAt(number - 1);
}

/** The slice that a user asks for, or why it cannot be had. */
export function requestedSlice(cidr: string, cidrs: readonly string[]): ServiceSlice | { readonly problem: string } {
  const network = parseNetwork(cidr);
  if (network === undefined || network.size !== sliceSize || formatAddress(network.first) !== cidr.split('/')[0]) {
    return { problem: `${cidr} is not an IPv4 /24 network without host bits` };
  }
  if (!networksOf(cidrs).some((range) => contains(usable(range), network))) {
    const allowed = networksOf(cidrs).map((range) => describe(usable(range)));
    return {
      problem: `${cidr} is not within the super cluster's Service range; allowed is any /24 of ${allowed.join(' or ')}`,
    };
  }
  return sliceAt(network.first);
}

function gridOf(cidrs: readonly string[]): readonly ServiceSlice[] {
  const slices = networksOf(cidrs).flatMap((range) => {
    const { first, size } = usable(range);
    const aligned = Math.ceil(first / sliceSize) * sliceSize;
    const count = Math.max(0, Math.floor((first + size - aligned) / sliceSize));
    return Array.from({ length: count }, (_, at) => sliceAt(aligned + at * sliceSize));
  });
  // Ranges may overlap.
  return [...new Map(slices.map((slice) => [slice.cidr, slice])).values()];
}

function networksOf(cidrs: readonly string[]): readonly Ipv4Network[] {
  return cidrs.map(parseNetwork).filter((network) => network !== undefined);
}

function usable({ first, size }: Ipv4Network): Ipv4Network {
  return { first: first + reservedForSuper, size: Math.max(0, size - reservedForSuper) };
}

function sliceAt(first: number): ServiceSlice {
  return { cidr: `${formatAddress(first)}/24`, address: formatAddress(first + 1) };
}

function describe({ first, size }: Ipv4Network): string {
  return `${formatAddress(first)}-${formatAddress(first + Math.max(0, size - 1))}`;
}
