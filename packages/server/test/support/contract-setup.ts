// In a contract run, each test file reports the responses that it received through the proxy Prism. The run
// fails if no test file received a required response (contract-global-setup.ts).

import { appendFileSync } from 'node:fs'
import { afterAll, expect, inject } from 'vitest'
import { reached } from './contract-proxy.ts'

afterAll(() => {
  // Checks that the proxy was used. Otherwise, the test run would pass even if all requests of this file
  // bypassed the proxy.
  expect(reached.size, 'number of responses received through the contract proxy').toBeGreaterThan(0)
  const file = expect.getState().testPath
  appendFileSync(inject('contractReached'), [...reached].map(each => `${file}\t${each}\n`).join(''))
})
