import { expect, it } from 'vitest';
import { versionText } from './version.ts';

it('says whether the provider is there and ready', () => {
  const provider = [{ name: 'manager', image: 'capn:v0.1.0', ready: false }];
  expect(versionText({ client: 'v0.1.0', super: 'v1.36.3', provider })).toBe(
    'client: v0.1.0\nprovider: capn:v0.1.0 (manager, not ready)\nsuper: Kubernetes v1.36.3\n',
  );
  expect(versionText({ client: 'v0.1.0', super: 'v1.36.3' })).toContain('provider: not installed');
});
