// npm run test:fuzz: the long fuzz run. Its results are stored next to the tests, with the date and seed.

import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

const folder = 'packages/server/test/fuzz'

export default defineConfig({
  test: {
    // The name must be the same as the server project's name in vitest.config.ts, because the global setup
    // expects this name.
    name: 'server',
    root: join(import.meta.dirname, 'packages/server'),
    include: ['test/fuzz/{operations,callbacks}.heavy.test.ts'],
    globalSetup: 'test/support/global-setup.ts',
    setupFiles: 'test/support/end-of-file.ts',
    env: {
      FUZZ_CASES: process.env.FUZZ_CASES ?? '10000',
      FUZZ_CALLBACKS: process.env.FUZZ_CALLBACKS ?? '2000',
      FUZZ_RESULTS: join(import.meta.dirname, folder, 'results'),
    },
    maxWorkers: 2,
    testTimeout: 3_600_000,
    hookTimeout: 120_000,
  },
})
