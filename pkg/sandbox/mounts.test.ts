import { expect, test } from 'vitest';
import { parseMountPoints } from './mounts.ts';

test('mount points are read with their escapes', () => {
  const mountinfo = [
    '27 1 254:0 / / rw,relatime - ext4 /dev/vda rw',
    String.raw`90 27 0:4 net:[1] /a\040b/ns rw - nsfs nsfs rw`,
    '',
  ].join('\n');
  expect(parseMountPoints(mountinfo)).toEqual(['/', '/a b/ns']);
});
