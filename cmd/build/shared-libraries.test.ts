import { expect, it } from 'vitest';
import { parseLdd } from './shared-libraries.ts';

it('reads the paths that ldd prints, the loader among them', () => {
  const text = `\tlinux-vdso.so.1 (0x00007f4b80588000)
\tlibdl.so.2 => /lib/x86_64-linux-gnu/libdl.so.2 (0x00007f4b80572000)
\tlibc.so.6 => /lib/x86_64-linux-gnu/libc.so.6 (0x00007f4b8001e000)
\t/lib64/ld-linux-x86-64.so.2 (0x00007f4b8058a000)
`;
  expect(parseLdd(text)).toEqual([
    '/lib/x86_64-linux-gnu/libdl.so.2',
    '/lib/x86_64-linux-gnu/libc.so.6',
    '/lib64/ld-linux-x86-64.so.2',
  ]);
});

it('needs nothing for a static program', () => {
  expect(parseLdd('\tstatically linked\n')).toEqual([]);
});

it('names what is missing', () => {
  expect(() => parseLdd('\tlibatomic.so.1 => not found\n')).toThrow(/libatomic\.so\.1/);
});
