import { expect, it } from 'vitest';
import { requireOpenssl } from './fixtures/require-openssl.ts';

it('says what to install when openssl is missing', async () => {
  await expect(requireOpenssl({ PATH: import.meta.dirname })).rejects.toThrow(/run: apt-get .* openssl$/);
});

it('is content with the one that is there', async () => {
  await expect(requireOpenssl()).resolves.toBeUndefined();
});
