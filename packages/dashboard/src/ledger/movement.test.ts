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
  ['fee of November', { kind: 'other', reason: 'fee of November' }],
])('%s', (reason, movement) => {
  expect(movementOf(reason)).toEqual(movement)
})
