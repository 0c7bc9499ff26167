import { expect, test } from 'vitest'
import { failureOf } from './failure-words.ts'

test('sums that differ are told apart from words', () => {
  expect(failureOf('amount mismatch: expected 10000000, received 9900000')).toEqual({
    kind: 'amount',
    expected: 10_000_000,
    received: 9_900_000,
  })
})

test('what a provider reported is passed on', () => {
  expect(failureOf('provider reported deny')).toEqual({ kind: 'reported', status: 'deny' })
})

test('an unknown reason is kept as it is', () => {
  expect(failureOf('"INSUFFICIENT_BALANCE"')).toEqual({ kind: 'other', reason: '"INSUFFICIENT_BALANCE"' })
})
