import { describe, expect, it } from 'vitest';
import { quotaBytes } from './etcd-arguments.ts';
import { bytesOf } from './quantity.ts';

const GiB = 2 ** 30;

describe('quotaBytes', () => {
  it.each([
    ['1Gi', GiB / 2],
    ['10G', 5e9],
    ['1.5Gi', 0.75 * GiB],
    ['1Ti', 8 * GiB],
  ])('gives the database half of %s, 8 GiB at most', (size, quota) => expect(quotaBytes(size)).toBe(quota));
});

describe('bytesOf', () => {
  it.each([
    ['5', 5],
    ['1500m', 1],
    ['2k', 2000],
    ['2Ki', 2048],
    ['3M', 3e6],
    ['1Ti', 2 ** 40],
  ])('reads %s', (text, bytes) => expect(bytesOf(text)).toBe(bytes));

  it.each(['', 'Gi', '1Xi', '-1Gi', '1 Gi', '1e3'])('refuses %j', (text) => {
    expect(() => bytesOf(text)).toThrow(/not a quantity/);
  });
});
