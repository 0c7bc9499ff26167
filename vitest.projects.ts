// Defines the settings shared by the projects in vitest.config.ts and vitest.heavy.config.ts.

import { configDefaults, type TestProjectInlineConfiguration } from 'vitest/config'

/**
 * Matches tests that only `npm run test:heavy` runs, so that `npm test` takes about three minutes. These tests start
 * whole services, inject faults, send thousands of requests, fill large tables, or repeat one check for every
 * operation, list or page. They include the end-to-end tests of management, teams, reports and rare events (decision
 * 84).
 */
export const heavy = '**/*.heavy.test.ts'

/**
 * Matches tests that replace a module or change the whole process, such as its environment. Each of these test files
 * needs its own worker, so that it does not affect other tests.
 */
export const isolated = '**/*.isolated{,.heavy}.test.ts'

type Settings = TestProjectInlineConfiguration['test'] & { root?: string }

export function project(name: string, { root = `packages/${name}`, ...settings }: Settings = {}) {
  return {
    extends: true as const,
    root,
    test: {
      name,
      include: ['{src,test}/**/*.test.ts'],
      exclude: [...configDefaults.exclude, heavy],
      // These limits only stop tests that hang. The limits are long, because a busy machine may be ten times slower
      // and no test asserts on its duration.
      testTimeout: 600_000,
      hookTimeout: 600_000,
      expect: { poll: { timeout: 120_000 } },
      ...settings,
    },
  }
}
