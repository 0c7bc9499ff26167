// npm run test:contract: sends each request through Prism, which validates it and its response against the API
// document.

import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'server',
    root: join(import.meta.dirname, 'packages/server'),
    // The run fails if the files below do not cover every documented status of every operation
    // (test/support/contract-coverage.ts). The end-to-end tests ("journeys") are not among these files,
    // because npm test validates each of their responses without Prism.
    include: ['test/**/*.contract.ts'],
    maxWorkers: 3,
    globalSetup: ['test/support/global-setup.ts', 'test/support/contract-global-setup.ts'],
    setupFiles: ['test/support/end-of-file.ts', 'test/support/contract-setup.ts'],
    reporters: ['default', 'json'],
    outputFile: { json: '../../test-output/contract.json' },
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 120_000 } },
  },
})
