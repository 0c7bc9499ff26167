import { expect, test } from 'vitest'
import { reasonOf } from './reason-words.ts'

test('the explanation of a callback that changes nothing contains the status that the callback reports', () => {
  expect(reasonOf('a report of pending changes nothing')).toEqual({ kind: 'unchanged', status: 'pending' })
  expect(reasonOf('a report of refund changes nothing')).toEqual({ kind: 'other' })
})

test('the result of a callback without a matching payment says whether the Owner must decide about the money', () => {
  const said = 'no payment of this account has the reference GP261120-7Q4M2ZK8XW'
  expect(reasonOf(said)).toEqual({ kind: 'no_payment', isMoneyKept: false })
  expect(reasonOf(`${said}; its money waits for the Owner`)).toEqual({
    kind: 'no_payment',
    isMoneyKept: true,
  })
})

test('if the result of a callback contains text from the provider, the dashboard does not translate it', () => {
  expect(reasonOf('"status REFUND"')).toEqual({ kind: 'other' })
})
