import { defineConfig } from 'vitest/config'

// What the bench does with figures; that it takes them right, only a run of it can show.
export default defineConfig({
  test: {
    include: ['**/*.test.ts'],
    reporters: ['default', 'json'],
    outputFile: { json: '../test-output/bench.json' },
  },
})
