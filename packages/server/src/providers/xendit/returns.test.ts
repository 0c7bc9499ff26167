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
    'a refund webhook with the refund %s reports this refund and the ID of its payment request',
    (_, data, expected) => {
      expect(told('refund.succeeded', data)).toMatchObject({
        reference: null,
        providerPaymentId: 'pr-1',
        returns: [{ kind: 'refund', id: 'rfd-1', ...expected }],
        fact: { type: 'nothing' },
      })
    },
  )

  const code = 'GP261120-7Q4M2ZK8XW'
  const own = { ...refund, payment_request_id: null, reference_id: `${code}-R1` }
  test.each<[string, object, object]>([
    [
      'by the payment code in its reference, if it has only the id of a payment',
      { ...own, payment_id: 'py-1' },
      { reference: code, providerPaymentId: 'py-1' },
    ],
    [
      'by the payment code in its reference, if it has only the id of an invoice',
      { ...own, invoice_id: 'inv-1' },
      { reference: code, providerPaymentId: 'inv-1' },
    ],
    [
      'by the payment code in its reference, if it has no id of a payment',
      own,
      { reference: code, providerPaymentId: code },
    ],
    [
      'by its payment request, which may belong to a later charge attempt',
      { ...own, payment_request_id: 'pr-1' },
      { reference: null, providerPaymentId: 'pr-1' },
    ],
    [
      'by its payment request, if payment_id contains the id of the request',
      { ...own, payment_id: 'pr-1' },
      { reference: null, providerPaymentId: 'pr-1' },
    ],
    [
      'by its payment id, if this service did not request the refund',
      { ...own, payment_id: 'py-1', reference_id: `${code}-2` },
      { reference: null, providerPaymentId: 'py-1' },
    ],
  ])('the payment that a refund webhook is about is found %s', (_, data, expected) => {
    expect(told('refund.succeeded', data)).toMatchObject({
      ...expected,
      returns: [{ kind: 'refund', id: 'rfd-1', amount: 500_000n, status: 'succeeded' }],
    })
  })

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
])(
  'a dispute that has the status %s at Xendit is read as a chargeback with the status %s',
  (status, expected) => {
    expect(updateOf({ event: 'dispute.lost', ...dispute, status })).toEqual({
      reference: 'GP1',
      providerPaymentId: 'py-1',
      returns: [{ kind: 'chargeback', id: 'd-1', amount: 15_000_000n, status: expected }],
      fact: { type: 'nothing', reason: `a dispute is ${status}` },
    })
  },
)

test('if a dispute has a final (terminal) amount, the adapter reports this amount instead of the initial amount', () => {
  const amount = { initial: '150000.00', terminal: '100000.00' }
  expect(updateOf({ event: 'dispute.lost', ...dispute, amount })).toMatchObject({
    returns: [{ id: 'd-1', amount: 10_000_000n, status: 'succeeded' }],
  })
})
