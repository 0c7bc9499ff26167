// npm run test:heavy: the tests whose names end with .heavy.test.ts. They start whole services, inject faults, or send
// thousands of requests.

import { configDefaults, defineConfig } from 'vitest/config'
import { heavy, project } from './vitest.projects.ts'

const settings = { include: [heavy], exclude: configDefaults.exclude }

export default defineConfig({
  test: {
    maxWorkers: 4,
    reporters: ['default', 'json'],
    outputFile: { json: 'test-output/heavy.json' },
    globalSetup: 'packages/server/test/support/global-setup.ts',
    projects: [
      project('server', {
        ...settings,
        root: 'packages/server',
        setupFiles: 'test/support/end-of-file.ts',
      }),
      // Some tests with random input make only a few runs in npm test.
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
      project('cli', settings),
      project('sdk', settings),
      project('faults', { ...settings, root: 'faults' }),
      project('adversary', { ...settings, root: 'adversary' }),
    ],
  },
})
