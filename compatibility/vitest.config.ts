import { defineConfig } from 'vitest/config'
import { operatorPages } from './docs/pages.ts'
import { LongestFirst } from './support/sequence.ts'

const operatorsPage = 'docs/operators-page.test.ts'

export default defineConfig({
  test: {
    globalSetup: 'support/global-setup.ts',
    // On a machine with two processors, four test files run at the same time, because the test files spend a quarter of
    // their time waiting for downloads, starting services or retries.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    reporters: ['default', 'json'],
    outputFile: { json: '../test-output/compatibility.json' },
    testTimeout: 300_000,
    hookTimeout: 300_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'compatibility',
          include: ['**/*.test.ts'],
          exclude: ['**/node_modules/**', operatorsPage],
        },
      },
      // Each page is a separate project, so that pages run in parallel. One file that ran all pages would take longer
      // than all other test files.
      ...operatorPages.map(page => ({
        extends: true as const,
        test: { name: page, include: [operatorsPage], provide: { operatorsPage: page } },
      })),
    ],
  },
})
