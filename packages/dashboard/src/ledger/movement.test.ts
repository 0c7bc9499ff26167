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
  [
    'refund GP261120-7Q4M2ZK8XW-R1 requested: one book was missing',
    {
      ...{ kind: 'refund', by: 'merchant', state: 'requested' },
      ...{ name: 'GP261120-7Q4M2ZK8XW-R1', why: 'one book was missing' },
    },
  ],
  [
    'refund GP261120-7Q4M2ZK8XW-R2 succeeded',
    { kind: 'refund', by: 'merchant', state: 'succeeded', name: 'GP261120-7Q4M2ZK8XW-R2', why: undefined },
  ],
  [
    'chargeback cb 1 at the provider failed: the chargeback was won',
    { kind: 'refund', by: 'chargeback', state: 'failed', name: 'cb 1', why: 'the chargeback was won' },
  ],
  [
    'refund rfd-9 at the provider succeeded',
    { kind: 'refund', by: 'provider', state: 'succeeded', name: 'rfd-9', why: undefined },
  ],
  [
    'fee: virtual_account BCA 0.7% + Rp 4.000, PPN 11%',
    { kind: 'fee', of: 'virtual_account BCA', formula: '0.7% + Rp 4.000, PPN 11%' },
  ],
  ['fee returned: refund GP261120-7Q4M2ZK8XW-R1 succeeded', { kind: 'fee_returned' }],
  [
    "fee returned: payment GP261120-7Q4M2ZK8XW was credited without the provider's confirmation and reversed",
    { kind: 'fee_unconfirmed' },
  ],
  ['fee charged again: refund GP261120-7Q4M2ZK8XW-R1 failed', { kind: 'fee_again' }],
  ['fee: qris Rp 0, at least Rp 500', { kind: 'fee', of: 'qris', formula: 'Rp 0, at least Rp 500' }],
])(
  'the dashboard recognizes the kind of a ledger movement from its recorded reason “%s”',
  (reason, movement) => {
    expect(movementOf(reason)).toEqual(movement)
  },
)
