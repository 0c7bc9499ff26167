import { expect, test } from 'vitest'
import { failureOf } from './failure-words.ts'

test('the dashboard recognises a failure because of a wrong amount, with the expected and the received amount', () => {
  expect(failureOf('amount mismatch: expected 10000000, received 9900000')).toEqual({
    kind: 'amount',
    expected: 10_000_000,
    received: 9_900_000,
  })
})

test('the dashboard shows a failure that the provider reported with the provider’s status', () => {
  expect(failureOf('provider reported deny')).toEqual({ kind: 'reported', status: 'deny' })
})

test('the dashboard shows an unknown failure reason unchanged', () => {
  expect(failureOf('"INSUFFICIENT_BALANCE"')).toEqual({ kind: 'other', reason: '"INSUFFICIENT_BALANCE"' })
})
