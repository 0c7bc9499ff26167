import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'

export default defineConfig({
  test: {
    // More workers than the two processors of the target machine, because the longer tests mostly wait for retries.
    maxWorkers: 6,
    reporters: ['default', 'json'],
    outputFile: { json: 'test-output/vitest.json' },
    globalSetup: 'packages/server/test/support/global-setup.ts',
    // The tests of the service share their workers, because loading all modules again for each file took longer than
    // most tests. Tests that replace a module or change the state of the whole process (*.isolated.test.ts) need their
    // own worker.
    projects: [
      project('server', {
        include: ['src/**/*.test.ts'],
        exclude: ['src/**/*.isolated.test.ts'],
        setupFiles: 'test/support/end-of-file.ts',
        isolate: false,
      }),
      project('journeys', {
        root: 'packages/server',
        include: ['test/**/*.test.ts'],
        exclude: ['test/**/*.isolated.test.ts'],
        setupFiles: 'test/support/end-of-file.ts',
        isolate: false,
      }),
      project('isolated', {
        root: 'packages/server',
        include: ['{src,test}/**/*.isolated.test.ts'],
        setupFiles: 'test/support/end-of-file.ts',
      }),
      project('sandbox', { isolate: false }),
      project('sdk'),
      project('cli'),
      project('dashboard'),
      project('faults', { root: 'faults', include: ['**/*.test.ts'] }),
      project('adversary', { root: 'adversary', include: ['**/*.test.ts'] }),
    ],
  },
})

function project(
  name: string,
  { root = `packages/${name}`, ...settings }: TestProjectInlineConfiguration['test'] & { root?: string } = {},
) {
  return {
    extends: true as const,
    root,
    test: {
      name,
      include: ['{src,test}/**/*.test.ts'],
      // These limits only stop tests that hang. No test asserts on its duration, and a loaded machine may be ten
      // times slower.
      testTimeout: 600_000,
      hookTimeout: 600_000,
      expect: { poll: { timeout: 120_000 } },
      ...settings,
    },
  }
}
