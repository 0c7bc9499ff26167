import { expect, test } from 'vitest'
import { failureOf } from './failure-words.ts'

test('a failure because of an amount mismatch is recognised with both amounts', () => {
  expect(failureOf('amount mismatch: expected 10000000, received 9900000')).toEqual({
    kind: 'amount',
    expected: 10_000_000,
    received: 9_900_000,
  })
})

test('a failure that the provider reported keeps the provider’s status', () => {
  expect(failureOf('provider reported deny')).toEqual({ kind: 'reported', status: 'deny' })
})

test('an unknown failure reason is shown unchanged', () => {
  expect(failureOf('"INSUFFICIENT_BALANCE"')).toEqual({ kind: 'other', reason: '"INSUFFICIENT_BALANCE"' })
})
