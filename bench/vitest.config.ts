import { defineConfig } from 'vitest/config'

// These tests check how the benchmarks process figures, such as medians and limits. Only a real run can show
// whether the benchmarks measure correctly.
export default defineConfig({
  test: {
    include: ['**/*.test.ts'],
    // The timeout is long, because each test starts a process, which takes several seconds on a busy machine.
    testTimeout: 60_000,
    reporters: ['default', 'json'],
    outputFile: { json: '../test-output/bench.json' },
  },
})
