import { expect, test } from 'vitest';
import { parseHierarchies } from './cgroups.ts';

const mount = (path: string, type: string, options: string): string =>
  `1 2 0:3 / ${path} rw - ${type} ${type} ${options}`;

test('hybrid machines: every hierarchy, tracked by pids', () => {
  const mountinfo = [
    mount('/sys/fs/cgroup', 'tmpfs', 'rw'),
    mount('/sys/fs/cgroup/memory', 'cgroup', 'rw,memory'),
    mount('/sys/fs/cgroup/pids', 'cgroup', 'rw,pids'),
    mount('/sys/fs/cgroup/unified', 'cgroup2', 'rw'),
  ].join('\n');
  expect(parseHierarchies(mountinfo)).toEqual({
    all: ['/sys/fs/cgroup/memory', '/sys/fs/cgroup/pids', '/sys/fs/cgroup/unified'],
    tracking: '/sys/fs/cgroup/pids',
    unified: false,
  });
});

test('machines with cgroup v2 only', () => {
  expect(parseHierarchies(mount('/sys/fs/cgroup', 'cgroup2', 'rw'))).toEqual({
    all: ['/sys/fs/cgroup'],
    tracking: '/sys/fs/cgroup',
    unified: true,
  });
});

test('machines without cgroups are refused', () => {
  expect(() => parseHierarchies(mount('/', 'ext4', 'rw'))).toThrow('no cgroup hierarchy');
});
