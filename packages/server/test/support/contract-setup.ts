// In a run of journeys through the contract proxy, each file has to send something through it: one that stopped doing
// so would be held against the document no longer, and nobody would notice.

import { afterAll, expect } from 'vitest'
import { passed } from './contract-proxy.ts'

afterAll(() => {
  expect(passed, 'requests that went through the contract proxy').toBeGreaterThan(0)
})
