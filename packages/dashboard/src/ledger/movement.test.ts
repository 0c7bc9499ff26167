import { expect, test } from 'vitest'
import { movementOf } from './movement.ts'

test.each([
  ['payment GP261120-7Q4M2ZK8XW received', { kind: 'received' }],
  ['further money for payment GP261120-7Q4M2ZK8XW accepted', { kind: 'further' }],
  [
    'payment GP261120-7Q4M2ZK8XW reversed by the provider: provider reported deny',
    { kind: 'reversed', why: 'provider reported deny' },
  ],
  ['money of payment GP261120-7Q4M2ZK8XW given back: paid twice', { kind: 'given_back', why: 'paid twice' }],
  [
    "payment GP261120-7Q4M2ZK8XW credited without the provider's confirmation: seen on the statement",
    { kind: 'unconfirmed', why: 'seen on the statement' },
  ],
  [
    'the chargeback cb-1 did not happen: the chargeback was won',
    { kind: 'undone', why: 'the chargeback was won' },
  ],
  ['fee of November', { kind: 'other', reason: 'fee of November' }],
])('%s', (reason, movement) => {
  expect(movementOf(reason)).toEqual(movement)
})
