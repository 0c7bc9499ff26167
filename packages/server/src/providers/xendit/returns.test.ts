import { describe, expect, test } from 'vitest'
import { UnreadableError } from '../lenient-fields.ts'
import { updateOf } from './webhook.ts'

const told = (event: string, data: object) => updateOf({ event, business_id: 'b', data })

describe('refund webhooks of Xendit', () => {
  const refund = {
    id: 'rfd-1',
    payment_request_id: 'pr-1',
    reference_id: 'R',
    currency: 'IDR',
    amount: 5_000,
  }
  test.each<[string, object, object]>([
    ['in data', refund, { amount: 500_000n, status: 'succeeded' }],
    ['nested in a second data field', { data: refund }, { amount: 500_000n, status: 'succeeded' }],
    ['with its amount as text', { ...refund, amount: '5000.00' }, { amount: 500_000n }],
    ['without an amount', { ...refund, amount: null }, { amount: null }],
    ['with a status that differs from the event', { ...refund, status: 'CANCELED' }, { status: 'failed' }],
  ])(
    'a refund webhook with the refund %s reports the refund for its payment request',
    (_, data, expected) => {
      expect(told('refund.succeeded', data)).toMatchObject({
        reference: null,
        providerPaymentId: 'pr-1',
        returns: [{ kind: 'refund', id: 'rfd-1', ...expected }],
        fact: { type: 'nothing' },
      })
    },
  )

  test('a refund webhook is unreadable if it lacks a payment id, a refund id or a known status', () => {
    for (const odd of [{ payment_request_id: null }, { status: 'MELTED' }, { id: null }])
      expect(() => told('refund.failed', { ...refund, ...odd })).toThrow(UnreadableError)
  })
})

const dispute = {
  ...{ id: 'd-1', payment_id: 'py-1', reference_id: 'GP1', status: 'LOST', currency: 'IDR' },
  amount: { initial: '150000.00', terminal: null },
}
test.each([{ id: null }, { id: {} }, { reference_id: {} }, { status: 7.5 }, { status: 'MELTED' }])(
  'a webhook about a dispute with %j is unreadable',
  field => {
    expect(() => updateOf({ event: 'dispute.lost', ...dispute, ...field })).toThrow(UnreadableError)
  },
)

test.each([
  ['ACTION_REQUIRED', 'pending'],
  ['UNDER_REVIEW', 'pending'],
  ['LOST', 'succeeded'],
  ['WON', 'failed'],
])('a dispute with the status %s is read as a chargeback with the status %s', (status, expected) => {
  expect(updateOf({ event: 'dispute.lost', ...dispute, status })).toEqual({
    reference: 'GP1',
    providerPaymentId: 'py-1',
    returns: [{ kind: 'chargeback', id: 'd-1', amount: 15_000_000n, status: expected }],
    fact: { type: 'nothing', reason: `a dispute is ${status}` },
  })
})

test('the terminal amount of a dispute is used instead of the initial amount', () => {
  const amount = { initial: '150000.00', terminal: '100000.00' }
  expect(updateOf({ event: 'dispute.lost', ...dispute, amount })).toMatchObject({
    returns: [{ id: 'd-1', amount: 10_000_000n, status: 'succeeded' }],
  })
})
