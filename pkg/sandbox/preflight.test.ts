import { expect, test } from 'vitest';
import { preflight, type Machine } from './preflight.ts';

const fine: Machine = { platform: 'linux', userId: 0, has: async () => true };

test('a machine that has everything passes', async () => {
  await expect(preflight(fine)).resolves.toBeUndefined();
});

test('another system than Linux is refused by name', async () => {
  await expect(preflight({ ...fine, platform: 'darwin' })).rejects.toThrow(/on Linux only .* this is darwin/);
});

test('[F-sandbox-not-root] without root the message says what to do', async () => {
  await expect(preflight({ ...fine, userId: 1000 })).rejects.toThrow(/needs root .* with sudo/);
});

test('[F-sandbox-package] all missing packages are named in one command', async () => {
  const lacking = ['nft', '/usr/lib/cni/bridge'];
  const machine: Machine = { ...fine, has: async (wanted) => !lacking.includes(wanted) };
  await expect(preflight(machine)).rejects.toThrow(
    'run: apt-get update && apt-get install -y --no-install-recommends containernetworking-plugins nftables',
  );
});
