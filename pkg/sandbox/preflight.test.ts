import { expect, test } from 'vitest';
import { preflight, type Machine } from './preflight.ts';

const fine: Machine = { platform: 'linux', arch: 'x64', userId: 0, has: async () => true };

test('a machine that has everything passes', async () => {
  await expect(preflight(fine)).resolves.toBeUndefined();
});

test('[F-sandbox-wrong-os] another system than Linux is refused by name', async () => {
  await expect(preflight({ ...fine, platform: 'darwin' })).rejects.toThrow(/on Linux only .* this is darwin/);
});

test('[F-sandbox-wrong-os] another processor than x86-64 is refused by name, and before root is asked for', async () => {
  const machine: Machine = { ...fine, arch: 'arm64', userId: 1000 };
  await expect(preflight(machine)).rejects.toThrow(/on x86-64 only .* this is arm64: use an x86-64 machine/);
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
