import { defineConfig } from 'vitest/config'

// These tests check how the bench processes figures. Only a real run can show that the bench measures correctly.
export default defineConfig({
  test: {
    include: ['**/*.test.ts'],
    reporters: ['default', 'json'],
    outputFile: { json: '../test-output/bench.json' },
  },
})
