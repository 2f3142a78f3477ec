import { defineConfig } from 'vitest/config';

const shared = { environment: 'node', pool: 'forks' } as const;

/** Three projects, from the cheapest proof to the dearest; see docs/CONTRIBUTING.md for which one a change needs. */
export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    projects: [
      { test: { ...shared, name: 'unit', include: ['{pkg,cmd}/**/*.test.ts', 'test/*.test.ts'] } },
      {
        test: {
          ...shared,
          name: 'integration',
          include: ['test/integration/**/*.test.ts'],
          globalSetup: ['test/fixtures/binaries.ts'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
          maxWorkers: 2,
        },
      },
      {
        test: {
          ...shared,
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          globalSetup: ['test/e2e/global-setup.ts'],
          testTimeout: 300_000,
          hookTimeout: 3_600_000,
          maxWorkers: 1,
          fileParallelism: false,
        },
      },
    ],
  },
});
