import { defineConfig } from 'vitest/config'
import { operatorPages } from './docs/pages.ts'
import { LongestFirst } from './support/sequence.ts'

const operatorsPage = 'docs/operators-page.test.ts'

export default defineConfig({
  test: {
    globalSetup: 'support/global-setup.ts',
    // Four test files run at the same time, even on two processors. The reason is that each file spends a quarter
    // of its time waiting (for downloads, starts or retries).
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    reporters: ['default', 'json'],
    outputFile: { json: '../test-output/compatibility.json' },
    // These limits only stop tests that hang. They are long, because a busy machine may be ten times slower.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 120_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'compatibility',
          include: ['**/*.test.ts'],
          exclude: ['**/node_modules/**', operatorsPage],
        },
      },
      // Each documentation page is a separate Vitest project, so that the pages run in parallel. If one test file ran
      // all pages, it would take longer than any other test file.
      ...operatorPages.map(page => ({
        extends: true as const,
        test: { name: page, include: [operatorsPage], provide: { operatorsPage: page } },
      })),
    ],
  },
})
