import { expect, test } from 'vitest'
import { reasonOf } from './reason-words.ts'

test('the reason of a callback that changes nothing is explained with the status that the callback reports', () => {
  expect(reasonOf('a report of pending changes nothing')).toEqual({ kind: 'unchanged', status: 'pending' })
  expect(reasonOf('a report of refund changes nothing')).toEqual({ kind: 'other' })
})

test('the result of a callback without a matching payment says whether its money waits for a decision of the Owner', () => {
  const said = 'no payment of this account has the reference GP261120-7Q4M2ZK8XW'
  expect(reasonOf(said)).toEqual({ kind: 'no_payment', isMoneyKept: false })
  expect(reasonOf(`${said}; its money waits for the Owner`)).toEqual({
    kind: 'no_payment',
    isMoneyKept: true,
  })
})

test('a callback result in the provider’s own words is shown unchanged', () => {
  expect(reasonOf('"status REFUND"')).toEqual({ kind: 'other' })
})
