import { expect, test } from 'vitest';
import { isNewEnough } from './go-build.ts';

test.each([
  ['go1.26.0', true],
  ['go1.26.8', true],
  ['go1.27rc1', true],
  ['go2.0', true],
  ['devel +abc', true],
  ['go1.25.9', false],
  ['go1.9', false],
  ['', false],
])('Go version %j: new enough is %j', (version, expected) => {
  expect(isNewEnough(version)).toBe(expected);
});
