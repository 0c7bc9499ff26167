// npm run test:heavy: the slow tests, whose names end with .heavy.test.ts (vitest.projects.ts describes
// them).

import { configDefaults, defineConfig } from 'vitest/config'
import { heavy, isolated, project } from './vitest.projects.ts'

const settings = { include: [heavy], exclude: configDefaults.exclude }

export default defineConfig({
  test: {
    // Many of these tests wait for retries, timeouts and restarts, so six run at the same time on two processors.
    maxWorkers: 6,
    teardownTimeout: 120_000,
    reporters: ['default', 'json'],
    outputFile: { json: 'test-output/heavy.json' },
    globalSetup: 'packages/server/test/support/global-setup.ts',
    projects: [
      // Most of the service's tests share their workers, as in vitest.config.ts.
      project('server', {
        include: ['{src,test}/**/*.heavy.test.ts'],
        exclude: [...configDefaults.exclude, isolated],
        setupFiles: 'test/support/end-of-file.ts',
        isolate: false,
      }),
      project('isolated', {
        root: 'packages/server',
        include: ['**/*.isolated.heavy.test.ts'],
        exclude: configDefaults.exclude,
        setupFiles: 'test/support/end-of-file.ts',
      }),
      // npm test runs these tests too, but with only a few random inputs.
      project('random', {
        root: 'packages/server',
        include: [
          'src/auth/tokens/token.test.ts',
          'src/fairness/fair-slots-simulation.test.ts',
          'src/http/json.test.ts',
          'test/journeys/api.test.ts',
        ],
        exclude: configDefaults.exclude,
        setupFiles: 'test/support/end-of-file.ts',
        env: { GAPURA_ALL_RANDOM_RUNS: '1' },
      }),
      project('sandbox', settings),
      project('cli', settings),
      project('sdk', settings),
      project('faults', { ...settings, root: 'faults' }),
      // The attack tests run after all other tests, because they measure whether merchants still get responses, and
      // other load would change the results.
      project('adversary', { ...settings, root: 'adversary', sequence: { groupOrder: 1 } }),
    ],
  },
})
