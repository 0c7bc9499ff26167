import { defineConfig } from 'vitest/config'

// These tests check how the bench processes figures, such as medians and limits. Whether the bench measures correctly
// can only be seen in a real run.
export default defineConfig({
  test: {
    include: ['**/*.test.ts'],
    reporters: ['default', 'json'],
    outputFile: { json: '../test-output/bench.json' },
  },
})
