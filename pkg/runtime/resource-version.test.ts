import { expect, it } from 'vitest';
import { compareResourceVersions } from './resource-version.ts';

it.each([
  ['9', '10', -1],
  ['10', '9', 1],
  ['10', '10', 0],
  ['9007199254740993', '9007199254740992', 1],
  ['', '10', 0],
  ['10', 'opaque', 0],
])('compares %s with %s', (left, right, sign) => {
  expect(Math.sign(compareResourceVersions(left, right))).toBe(sign);
});
