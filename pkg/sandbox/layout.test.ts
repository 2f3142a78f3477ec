import { expect, test } from 'vitest';
import { cacheFolder, layoutOf } from './layout.ts';

test('everything of a sandbox lies below its own folder', () => {
  const layout = layoutOf('two', { CAPN_STATE_DIR: '/state' });
  const { name, dir, trash, cgroup, nodeName, ...paths } = layout;
  expect([name, dir, cgroup, nodeName]).toEqual(['two', '/state/sandbox/two', 'capn-two', 'capn-two']);
  expect(trash).toBe('/state/sandbox/.removing-two');
  for (const path of Object.values(paths)) expect(path).toMatch(/^\/state\/sandbox\/two\//);
});

test('the default sandbox is found by the XDG rules', () => {
  expect(layoutOf(undefined, { XDG_STATE_HOME: '/xdg' }).dir).toBe('/xdg/capn/sandbox/default');
  expect(cacheFolder({ XDG_CACHE_HOME: '/xdg' })).toBe('/xdg/capn');
  expect(cacheFolder({ CAPN_CACHE_DIR: '/cache', XDG_CACHE_HOME: '/xdg' })).toBe('/cache');
});

test.each(['', 'A', '1a', 'a-', '../x', 'a.b', 'a'.repeat(31)])('refuses the name %j', (name) => {
  expect(() => layoutOf(name)).toThrow(`sandbox name '${name}': use at most 30`);
});

test('takes the longest name', () => {
  expect(layoutOf('a'.repeat(30), { CAPN_STATE_DIR: '/s' }).name).toHaveLength(30);
});
