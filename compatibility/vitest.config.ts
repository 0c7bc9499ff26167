import { defineConfig } from 'vitest/config'
import { LongestFirst } from './support/sequence.ts'

export default defineConfig({
  test: {
    include: ['**/*.test.ts'],
    globalSetup: 'support/global-setup.ts',
    // One file more than the target machine has processors, because the longest files also wait: for downloads, for
    // services that start, and for retries.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    reporters: ['default', 'json'],
    outputFile: { json: '../test-output/compatibility.json' },
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
})
