// In a run through the contract proxy, each test file reports the responses that it received through the proxy. The run
// fails if a response that must be covered was received by no file (contract-global-setup.ts).

import { appendFileSync } from 'node:fs'
import { afterAll, expect, inject } from 'vitest'
import { reached } from './contract-proxy.ts'

afterAll(() => {
  // Without this check, no test would fail if the requests of the file no longer went through the proxy.
  expect(reached.size, 'responses that came through the contract proxy').toBeGreaterThan(0)
  const file = expect.getState().testPath
  appendFileSync(inject('contractReached'), [...reached].map(each => `${file}\t${each}\n`).join(''))
})
