import { defineConfig } from 'vitest/config'
import { LongestFirst } from './support/sequence.ts'

export default defineConfig({
  test: {
    include: ['**/*.test.ts'],
    globalSetup: 'support/global-setup.ts',
    // Three test files run at the same time on a machine with two processors, because the longest files often wait for
    // downloads, starting services or retries.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    reporters: ['default', 'json'],
    outputFile: { json: '../test-output/compatibility.json' },
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
})
