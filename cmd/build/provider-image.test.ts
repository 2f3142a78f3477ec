import { expect, it } from 'vitest';
import { imageSpec } from './provider-image.ts';

const spec = imageSpec({ node: '/opt/node/bin/node', libraries: ['/lib/libc.so.6'], manager: '/src/dist/manager.mjs' });
const files = spec.layers.flat();

it('runs as nobody, without a shell', () => {
  expect(spec.user).toBe('65532:65532');
  expect(files.some(({ path }) => path.includes('/bin/') && path !== '/usr/local/bin/node')).toBe(false);
});

it('gives nothing to the user that it runs as, and no file is writable to others', () => {
  const writable = files.filter((file) => file.kind !== 'link' && ((file.mode ?? 0o644) & 0o022) !== 0);
  expect(writable.map(({ path }) => path)).toEqual(['/tmp']);
  expect(files.every(({ uid = 0 }) => uid === 0)).toBe(true);
});

it('has its program where config/manager looks for it', () => {
  expect(files.map(({ path }) => path)).toEqual(
    expect.arrayContaining(['/usr/local/bin/node', '/app/manager.mjs', '/lib/libc.so.6']),
  );
});
