import { expect, test } from 'vitest'
import { reasonOf } from './reason-words.ts'

test("if a callback changes nothing, the dashboard's explanation contains the payment status that the callback reported", () => {
  expect(reasonOf('a report of pending changes nothing')).toEqual({ kind: 'unchanged', status: 'pending' })
  expect(reasonOf('a report of refund changes nothing')).toEqual({ kind: 'other' })
})

test('for a callback without a matching payment, the dashboard shows whether the Owner must decide', () => {
  const said = 'no payment of this account has the reference GP261120-7Q4M2ZK8XW'
  expect(reasonOf(said)).toEqual({ kind: 'no_payment', isMoneyKept: false })
  expect(reasonOf(`${said}; its money waits for the Owner`)).toEqual({
    kind: 'no_payment',
    isMoneyKept: true,
  })
})

test('the dashboard does not translate a callback result that contains text from the provider', () => {
  expect(reasonOf('"status REFUND"')).toEqual({ kind: 'other' })
})
