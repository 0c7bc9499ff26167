// In a run through the contract proxy, each file reports the responses that it got through it. The run fails if no file
// got a response that it must cover (contract-global-setup.ts).

import { appendFileSync } from 'node:fs'
import { afterAll, expect, inject } from 'vitest'
import { reached } from './contract-proxy.ts'

afterAll(() => {
  // Otherwise a file could stop being checked against the document unnoticed.
  expect(reached.size, 'responses that came through the contract proxy').toBeGreaterThan(0)
  const file = expect.getState().testPath
  appendFileSync(inject('contractReached'), [...reached].map(each => `${file}\t${each}\n`).join(''))
})
