import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'

export default defineConfig({
  test: {
    // More than the two processors that this is meant for: much of the longer files is waiting for retries.
    maxWorkers: 4,
    reporters: ['default', 'json'],
    outputFile: { json: 'test-output/vitest.json' },
    projects: [
      // Only the server needs a database; a run of another package's tests starts none.
      project('server', { globalSetup: 'test/support/global-setup.ts' }),
      project('sandbox'),
      project('sdk'),
      project('cli'),
    ],
  },
})

function project(name: string, settings: TestProjectInlineConfiguration['test'] = {}) {
  return {
    extends: true as const,
    root: `packages/${name}`,
    test: {
      name,
      include: ['{src,test}/**/*.test.ts'],
      // Enough for a cold, shared machine; no test asserts on the time it takes.
      testTimeout: 120_000,
      hookTimeout: 120_000,
      ...settings,
    },
  }
}
