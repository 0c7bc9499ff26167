import { expect, test } from 'vitest'
import { makePayment, now } from '../../../test/support/make-payment.ts'
import { transfer } from '../../ledger/transfer.ts'
import type { PaymentEvent } from '../payment.ts'
import { transferFor } from './payment-transfer.ts'

const payment = makePayment({ mode: 'test' })
const code = payment.paymentCode
const charged = `provider:${payment.providerAccountId}` as const
const paid = { type: 'paid', amountPaid: 7n, paidAt: now, reference: code } as const
const reversed = { type: 'reversed', reason: 'deny', unexpectedMoneyId: 'u-1', amount: 5n } as const

test.each<[string, PaymentEvent, object]>([
  [
    'paid',
    paid,
    {
      ...transfer(charged, 'merchant', 7n),
      reason: `payment ${code} received`,
      unexpectedMoneyId: null,
    },
  ],
  [
    'paid without confirmation',
    { ...paid, unconfirmed: 'seen in the statement' },
    {
      ...transfer(charged, 'merchant', 7n),
      reason: `payment ${code} credited without the provider's confirmation: seen in the statement`,
      unexpectedMoneyId: null,
    },
  ],
  [
    'paid again, accepted by the Owner',
    { type: 'paid_again', amount: 3n, unexpectedMoneyId: 'u-1' },
    {
      ...transfer('provider', 'merchant', 3n),
      reason: `further money for payment ${code} accepted`,
      unexpectedMoneyId: 'u-1',
    },
  ],
  [
    'paid again for a reason',
    { type: 'paid_again', amount: 3n, unexpectedMoneyId: 'u-1', why: 'the refund failed' },
    { ...transfer('provider', 'merchant', 3n), reason: 'the refund failed', unexpectedMoneyId: 'u-1' },
  ],
  [
    'reversed',
    reversed,
    {
      ...transfer('merchant', 'provider', 5n),
      reason: `payment ${code} reversed by the provider: deny`,
      unexpectedMoneyId: 'u-1',
    },
  ],
])(
  "if a payment was %s, the event causes one transfer in the tenant's book (its double-entry ledger)",
  (_, event, fields) => {
    expect(transferFor(payment, event)).toStrictEqual({
      tenantId: payment.tenantId,
      mode: 'test',
      paymentId: payment.id,
      referenceId: code,
      ...fields,
    })
  },
)

test.each<[string, PaymentEvent]>([
  ['a reversal of money that was never credited', { ...reversed, amount: 0n }],
  ['a partial payment', { ...paid, type: 'underpaid', received: 1n, reason: 'too little' }],
  ['money received after a reversal', { type: 'paid_after_reversal', amount: 5n, reference: code }],
  ['a failure', { type: 'failed', reason: 'deny' }],
])('no ledger transfer is created for a payment event about %s', (_, event) => {
  expect(transferFor(payment, event)).toBeUndefined()
})

test("money that pays an earlier charge attempt is transferred to the merchant from that attempt's provider account", () => {
  expect(transferFor({ ...payment, attempt: 2 }, paid)).toMatchObject({ from: 'provider', to: 'merchant' })
})

test('converting a reversal without an amount to a ledger transfer throws an error', () => {
  const { amount: _, ...unknown } = reversed
  expect(() => transferFor(payment, unknown)).toThrow(/has no amount/)
})
