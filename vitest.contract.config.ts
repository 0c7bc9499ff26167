// Journeys, and what the API document shows (*.contract.ts), through Prism, which holds each request and answer against
// that document: npm run test:contract

import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'journeys',
    root: join(import.meta.dirname, 'packages/server'),
    include: ['test/journeys/*.{test,contract}.ts', 'test/support/contract-proxy.contract.ts'],
    exclude: [
      // What browsers ask before a request, and the headers that answer them: nothing of it is in the document.
      'test/journeys/cors.test.ts',
      // Pages, beside the API.
      'test/journeys/docs.test.ts',
      'test/journeys/dashboard.test.ts',
      // By tRPC's own protocol.
      'test/journeys/session.test.ts',
      // What is no request of the document: raw bytes, the headers of every answer, listeners that stop, another listener.
      'test/journeys/hostile-http.test.ts',
      'test/journeys/security-headers.test.ts',
      'test/journeys/stopping.test.ts',
      'test/journeys/operations-listener.test.ts',
      'test/journeys/tls.test.ts',
      // What happens before there is a service to ask.
      'test/journeys/lost-while-starting.test.ts',
      // What no operation takes.
      'test/journeys/wrong-method.test.ts',
      // How fast requests come, which a proxy changes.
      'test/journeys/rate-limit.test.ts',
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
