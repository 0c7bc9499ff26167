import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['**/*.test.ts'],
    globalSetup: 'support/global-setup.ts',
    // The tests run two files at a time: each file builds, installs or compiles something, and the target machine has
    // two processors.
    maxWorkers: 2,
    reporters: ['default', 'json'],
    outputFile: { json: '../test-output/compatibility.json' },
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
})
