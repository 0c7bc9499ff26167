import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'

export default defineConfig({
  test: {
    // More than the two processors that this is meant for: much of the longer files is waiting for retries.
    maxWorkers: 6,
    reporters: ['default', 'json'],
    outputFile: { json: 'test-output/vitest.json' },
    globalSetup: 'packages/server/test/support/global-setup.ts',
    // Tests beside the code share their workers: to load everything anew for each file took longer than many of them.
    // Those that replace a module need one of their own.
    projects: [
      project('server', {
        include: ['src/**/*.test.ts'],
        exclude: ['src/**/*.isolated.test.ts'],
        setupFiles: 'test/support/end-of-file.ts',
        isolate: false,
      }),
      project('journeys', {
        root: 'packages/server',
        include: ['test/**/*.test.ts', 'src/**/*.isolated.test.ts'],
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
      // They end what hangs. No test asserts on the time it takes, and a machine under load takes ten times as long.
      testTimeout: 600_000,
      hookTimeout: 600_000,
      expect: { poll: { timeout: 120_000 } },
      ...settings,
    },
  }
}
