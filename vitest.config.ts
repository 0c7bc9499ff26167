import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'

export default defineConfig({
  test: {
    // Each worker keeps a service and its database busy; more of them than this only wait for one another.
    maxWorkers: 2,
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
      testTimeout: 30_000,
      hookTimeout: 60_000,
      ...settings,
    },
  }
}
