import { describe, expect, it } from 'vitest';
import { countSlices, freeSlices, requestedSlice, sliceOfAddress } from './service-slices.ts';

const wide = { cidrs: ['10.96.0.0/16'], taken: new Set<string>() };

describe('service slices', () => {
  it('cuts /24s from the range and stays off its first 256 addresses', () => {
    const slices = freeSlices(wide, 'a');
    expect(slices).toHaveLength(255);
    expect(slices.map((slice) => slice.cidr)).not.toContain('10.96.0.0/24');
    expect(slices.map((slice) => slice.cidr)).toContain('10.96.255.0/24');
    for (const slice of slices) expect(sliceOfAddress(slice.address)).toEqual(slice);
  });

  it('passes over slices whose first address is taken', () => {
    const first = freeSlices(wide, 'a')[0];
    const next = freeSlices({ ...wide, taken: new Set([first?.address ?? '']) }, 'a');
    expect(next).toHaveLength(254);
    expect(next).not.toContainEqual(first);
  });

  it('starts at another place for another control plane', () => {
    expect(freeSlices(wide, 'a')[0]).not.toEqual(freeSlices(wide, 'b')[0]);
  });

  it('finds none in a range that has no room beside super', () => {
    expect(freeSlices({ cidrs: ['10.0.0.0/24', 'fd00::/108'], taken: new Set() }, 'a')).toEqual([]);
    expect(countSlices(['10.0.0.0/23'])).toBe(1);
  });

  it('grants a requested slice, and says what is allowed when it cannot', () => {
    expect(requestedSlice('10.96.7.0/24', wide.cidrs)).toEqual({ cidr: '10.96.7.0/24', address: '10.96.7.1' });
    expect(requestedSlice('10.96.0.0/24', wide.cidrs)).toHaveProperty('problem');
    expect(requestedSlice('192.168.0.0/24', wide.cidrs)).toEqual({
      problem:
        "192.168.0.0/24 is not within the super cluster's Service range; allowed is any /24 of 10.96.1.0-10.96.255.255",
    });
    expect(requestedSlice('10.96.7.5/24', wide.cidrs)).toHaveProperty('problem');
  });

  it('reads no slice from an address in the middle', () => {
    expect(sliceOfAddress('10.96.7.2')).toBeUndefined();
    expect(sliceOfAddress('fd00::1')).toBeUndefined();
  });
});
