// npm run test:contract: runs the journeys and the examples of the API document (*.contract.ts) through Prism,
// which validates each request and response against the document.

import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'journeys',
    root: join(import.meta.dirname, 'packages/server'),
    include: ['test/journeys/*.{test,contract}.ts', 'test/support/contract-proxy.contract.ts'],
    exclude: [
      // CORS preflight requests and their response headers are not in the document.
      'test/journeys/cors.test.ts',
      // Pages are not part of the API.
      'test/journeys/docs.test.ts',
      'test/journeys/dashboard.test.ts',
      // Uses tRPC's own protocol.
      'test/journeys/session.test.ts',
      // Not requests of the document: raw bytes, headers common to all responses, stopping listeners, and other
      // listeners.
      'test/journeys/hostile-http.test.ts',
      'test/journeys/security-headers.test.ts',
      'test/journeys/stopping.test.ts',
      'test/journeys/operations-listener.test.ts',
      'test/journeys/tls.test.ts',
      // Covers the time before the service listens.
      'test/journeys/lost-while-starting.test.ts',
      // Uses methods that no operation accepts.
      'test/journeys/wrong-method.test.ts',
      // Depends on the request rate, which a proxy changes.
      'test/journeys/rate-limit.isolated.test.ts',
    ],
    maxWorkers: 5,
    globalSetup: ['test/support/global-setup.ts', 'test/support/contract-global-setup.ts'],
    setupFiles: ['test/support/end-of-file.ts', 'test/support/contract-setup.ts'],
    reporters: ['default', 'json'],
    outputFile: { json: '../../test-output/contract.json' },
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})
