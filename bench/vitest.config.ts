import { defineConfig } from 'vitest/config'

// Tests how the bench processes figures. Only a real run can show that it takes them correctly.
export default defineConfig({
  test: {
    include: ['**/*.test.ts'],
    reporters: ['default', 'json'],
    outputFile: { json: '../test-output/bench.json' },
  },
})
