import { describe, expect, it } from 'vitest';
import { quotaBytes } from './etcd-arguments.ts';
import { bytesOf } from './quantity.ts';

const MiB = 2 ** 20;
const GiB = 2 ** 30;

describe('quotaBytes', () => {
  it.each([
    ['1Gi', GiB / 2],
    ['10G', 5e9],
    ['1.5Gi', 0.75 * GiB],
    ['1e9', 5e8],
    ['.5Gi', GiB / 4],
    ['1Ti', 8 * GiB],
    ['1Pi', 8 * GiB],
    ['1E', 8 * GiB],
    ['64Mi', 32 * MiB],
  ])('gives the database half of %s, 8 GiB at most', (size, quota) => expect(quotaBytes(size)).toBe(quota));

  it.each(['100m', '0', '-1Gi', '1', '1Mi', '1n'])('never gives less than 32 MiB, not even for %s', (size) => {
    expect(quotaBytes(size)).toBe(32 * MiB);
  });
});

describe('bytesOf', () => {
  it.each([
    ['5', 5],
    ['1500m', 1],
    ['100m', 0],
    ['2000000u', 2],
    ['3000000000n', 3],
    ['2k', 2000],
    ['2Ki', 2048],
    ['3M', 3e6],
    ['1.005k', 1005],
    ['1T', 1e12],
    ['1Ti', 2 ** 40],
    ['1P', 1e15],
    ['1Pi', 2 ** 50],
    ['1E', 1e18],
    ['1Ei', 2 ** 60],
    ['1e9', 1e9],
    ['1E9', 1e9],
    ['1.5e+3', 1500],
    ['2500e-3', 2],
    ['+1Gi', GiB],
    ['-1Gi', -GiB],
    ['.5Gi', GiB / 2],
    ['1.Gi', GiB],
    ['007', 7],
  ])('reads %s', (text, bytes) => expect(bytesOf(text)).toBe(bytes));

  it.each(['', '.', '+', 'Gi', '1Xi', '1ki', '1K', '1 Gi', '1e', '1e1.5', '1e3Gi', '0x10', '1Gi\n', '--1', '1_000'])(
    'refuses %j',
    (text) => {
      expect(() => bytesOf(text)).toThrow(/not a quantity/);
    },
  );
});
