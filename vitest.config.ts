// npm test: the tests for all packages, except the heavy ones (vitest.heavy.config.ts).

import { configDefaults, defineConfig } from 'vitest/config'
import { heavy, isolated, project } from './vitest.projects.ts'

const quick = { maxWorkers: 3, sequence: { groupOrder: 1 } }

export default defineConfig({
  test: {
    // There are more workers than processors on the target machine (two), because some tests wait for retries. More
    // workers than six would only load the same modules more often. The tests on a Citus cluster run one after another,
    // because some of them make a node of the cluster unavailable.
    maxWorkers: process.env.GAPURA_TEST_CITUS_URL ? 1 : 6,
    // A large young generation makes garbage collection cheaper. With Node's default size, the tests use about a
    // tenth more processor time.
    execArgv: ['--max-semi-space-size=64'],
    // Workers get a long time to exit, because an exit can be slow on a busy machine.
    teardownTimeout: 120_000,
    reporters: ['default', 'json'],
    outputFile: { json: 'test-output/vitest.json' },
    globalSetup: 'packages/server/test/support/global-setup.ts',
    // Most of the service's tests share their workers, because loading all modules again for each file took longer
    // than most tests. Tests that replace a module or change the whole process (*.isolated.test.ts) run in their
    // own worker.
    projects: [
      project('server', {
        exclude: [heavy, isolated],
        setupFiles: 'test/support/end-of-file.ts',
        isolate: false,
      }),
      project('isolated', {
        root: 'packages/server',
        include: [isolated],
        exclude: [heavy],
        setupFiles: 'test/support/end-of-file.ts',
      }),
      // The quick tests run last and in few workers. These tests rarely wait, and each additional worker would
      // load the same modules again.
      project('sandbox', { isolate: false, ...quick }),
      project('sdk', quick),
      project('cli', { isolate: false, ...quick }),
      project('dashboard', { exclude: [...configDefaults.exclude, isolated], isolate: false, ...quick }),
      project('isolated-dashboard', { root: 'packages/dashboard', include: [isolated], ...quick }),
      project('faults', { root: 'faults', include: ['**/*.test.ts'], isolate: false, ...quick }),
      project('adversary', { root: 'adversary', include: ['**/*.test.ts'], isolate: false, ...quick }),
    ],
  },
})
