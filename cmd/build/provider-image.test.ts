import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from './bundles.ts';
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

describe('config/image/Dockerfile', async () => {
  const dockerfile = await readFile(join(root, 'config/image/Dockerfile'), 'utf8');
  const final = dockerfile.slice(dockerfile.lastIndexOf('\nFROM ') + 1).trimEnd();
  const { user = '', entrypoint = [], command = [], env = {}, workingDir = '' } = spec;

  it('ends in an image that has no shell either', () => {
    expect(final).toMatch(/^FROM gcr\.io\/distroless\/cc-debian12:nonroot\n/);
    expect(final).not.toMatch(/^(RUN|SHELL|ADD) /m);
  });

  it('has the same user, command line, environment and programs', () => {
    const list = (words: readonly string[]): string => `[${words.map((word) => `"${word}"`).join(', ')}]`;
    expect(final.split('\n')).toEqual(
      expect.arrayContaining([
        `USER ${user}`,
        `WORKDIR ${workingDir}`,
        `ENTRYPOINT ${list(entrypoint)}`,
        `CMD ${list(command)}`,
        ...Object.entries(env).map(([name, value]) => `ENV ${name}=${value}`),
        'COPY --from=build /usr/local/bin/node /usr/local/bin/node',
        'COPY --from=build /src/dist/manager.mjs /src/dist/manager.mjs.map /app/',
      ]),
    );
  });
});
