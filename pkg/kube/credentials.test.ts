import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ClusterConfig } from './cluster-config.ts';
import { createCredentials } from './credentials.ts';

const server = 'https://one:6443';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('reloads overlap never: those refused at the same time share one', async () => {
  let reloads = 0;
  const answer = Promise.withResolvers<ClusterConfig>();
  const reload = async () => {
    reloads++;
    return await answer.promise;
  };
  const credentials = createCredentials({ server, token: 'old', reload });
  const refused = credentials.current();
  const renewals = [credentials.renew(refused), credentials.renew(refused)];
  answer.resolve({ server, token: 'new' });
  expect(await Promise.all(renewals)).toEqual([true, true]);
  expect(await credentials.renew(refused)).toBe(true);
  expect(reloads).toBe(1);
  expect(credentials.current().token).toBe('new');
});

test('are read again in the background after a minute, and used once they are there', async () => {
  let token = 'old';
  const credentials = createCredentials({
    server,
    token,
    reload: async () => await Promise.resolve({ server, token }),
  });
  token = 'new';
  expect(credentials.current().token).toBe('old');
  await vi.advanceTimersByTimeAsync(61_000);
  expect(credentials.current().token).toBe('old');
  await vi.advanceTimersByTimeAsync(0);
  expect(credentials.current().token).toBe('new');
});

test('a reload that fails, brings nothing new, or is not there changes nothing', async () => {
  const failing = createCredentials({ server, reload: async () => await Promise.reject(new Error('no')) });
  expect(await failing.renew(failing.current())).toBe(false);
  const same = createCredentials({
    server,
    token: 't',
    reload: async () => await Promise.resolve({ token: 't', server }),
  });
  expect(await same.renew(same.current())).toBe(false);
  const fixed = createCredentials({ server });
  expect(await fixed.renew(fixed.current())).toBe(false);
});
