// In a run through the contract proxy, each file must send at least one request through it. Otherwise a file could
// stop being checked against the document unnoticed.

import { afterAll, expect } from 'vitest'
import { passed } from './contract-proxy.ts'

afterAll(() => {
  expect(passed, 'requests that went through the contract proxy').toBeGreaterThan(0)
})
