import { expect, test } from 'vitest'
import { failureOf } from './failure-words.ts'

test('the dashboard reads the expected and the received amount from the reason of a payment that failed with a wrong amount', () => {
  expect(failureOf('amount mismatch: expected 10000000, received 9900000')).toEqual({
    kind: 'amount',
    expected: 10_000_000,
    received: 9_900_000,
  })
})

test('if the provider reported that a payment failed, the dashboard reads the reported status from the payment’s failure reason', () => {
  expect(failureOf('provider reported deny')).toEqual({ kind: 'reported', status: 'deny' })
})

test('the dashboard shows an unknown failure reason unchanged', () => {
  expect(failureOf('"INSUFFICIENT_BALANCE"')).toEqual({ kind: 'other', reason: '"INSUFFICIENT_BALANCE"' })
})
