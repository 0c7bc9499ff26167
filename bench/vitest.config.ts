import { defineConfig } from 'vitest/config'

// These tests check how the benchmarks process figures, such as medians and limits. Only a real run can show
// whether the benchmarks measure correctly.
export default defineConfig({
  test: {
    include: ['**/*.test.ts'],
    // This limit only stops tests that hang. It is long, because each test starts a process, which takes a long time on
    // a busy machine.
    testTimeout: 600_000,
    reporters: ['default', 'json'],
    outputFile: { json: '../test-output/bench.json' },
  },
})
