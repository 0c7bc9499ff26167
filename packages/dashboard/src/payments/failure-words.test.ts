import { expect, test } from 'vitest'
import { failureOf } from './failure-words.ts'

test('if a payment failed because of a wrong amount, the dashboard reads both amounts from the failure reason', () => {
  expect(failureOf('amount mismatch: expected 10000000, received 9900000')).toEqual({
    kind: 'amount',
    expected: 10_000_000,
    received: 9_900_000,
  })
})

test('if the provider reported a failure, the dashboard reads the provider’s status from the failure reason', () => {
  expect(failureOf('provider reported deny')).toEqual({ kind: 'reported', status: 'deny' })
})

test('the dashboard shows an unknown failure reason unchanged', () => {
  expect(failureOf('"INSUFFICIENT_BALANCE"')).toEqual({ kind: 'other', reason: '"INSUFFICIENT_BALANCE"' })
})
