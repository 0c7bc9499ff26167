import { expect, test } from 'vitest'
import { inquiry, reference } from '../../../test/support/fake-acquirer.ts'
import { profile as doku } from '../doku/profile.ts'
import { orderStatus } from './messages.ts'
import { orderUpdate } from './order-update.ts'
import { midtrans, type SnapAccount } from './profile.ts'

const paid = {
  originalReferenceNo: 'A1',
  originalPartnerReferenceNo: reference,
  latestTransactionStatus: '00',
  amount: { value: '100000.00', currency: 'IDR' },
}
const updateOf = (changes: object, asked = inquiry('gopay')) =>
  orderUpdate({ profile: midtrans } as SnapAccount, asked, orderStatus.parse({ ...paid, ...changes }))

test('a response to a SNAP inquiry is rejected if it is about another order', () => {
  expect(() => updateOf({ originalPartnerReferenceNo: 'GP261120-0000000000' })).toThrow(
    'the response is for a different order',
  )
})

test('a SNAP inquiry response without an order reference counts as a response about the requested order', () => {
  expect(updateOf({ originalPartnerReferenceNo: undefined })).toMatchObject({
    reference,
    fact: { type: 'paid', amountPaid: 10_000_000n },
  })
})

test.each<[string, object, object]>([
  [
    'another currency',
    { amount: { value: '100000.00', currency: 'USD' } },
    { type: 'nothing', reason: /USD/ },
  ],
  ['a zero amount', { amount: { value: '0.00', currency: 'IDR' } }, { type: 'nothing', reason: /paid 0/ }],
])(
  'a SNAP response to a status inquiry with %s does not count as proof of payment',
  (_, changes, { type, reason }: { type?: string; reason?: RegExp }) => {
    expect(updateOf(changes)).toMatchObject({
      fact: { type, reason: expect.stringMatching(reason as RegExp) },
    })
  },
)

test('a refunded SNAP order without listed refunds is reported as one refund with an unknown amount', () => {
  expect(updateOf({ latestTransactionStatus: '04' })).toMatchObject({
    returns: [{ kind: 'refund', id: null, amount: null, status: 'succeeded' }],
  })
  expect(updateOf({})).not.toHaveProperty('returns')
})

test('a QRIS response may omit refunds only if the acquirer does not document that it lists refunds', () => {
  const ofDoku = (channel: string) =>
    orderUpdate({ profile: doku } as SnapAccount, inquiry(channel), orderStatus.parse(paid))
  expect(ofDoku('qris')).toHaveProperty('mayOmitReturns', true)
  expect(ofDoku('gopay')).not.toHaveProperty('mayOmitReturns')
  expect(updateOf({}, inquiry('qris'))).not.toHaveProperty('mayOmitReturns')
})

test('a SNAP inquiry response without a payment id does not change the stored payment id', () => {
  const asked = inquiry('gopay', { providerPaymentId: 'A1' })
  expect(updateOf({ originalReferenceNo: undefined }, asked)).toMatchObject({ providerPaymentId: 'A1' })
})

test('refunds without ids in a SNAP message get different ids, based on their positions', () => {
  const entry = { refundAmount: { value: '5000.00', currency: 'IDR' }, refundStatus: '00' }
  expect(updateOf({ refundHistory: [entry, entry] })).toMatchObject({
    returns: [
      { id: 'A1-1', amount: 500_000n },
      { id: 'A1-2', amount: 500_000n },
    ],
  })
})

test.each(['none', {}, [7], null])(
  'a SNAP message whose list of refunds is %j reports no refund',
  refundHistory => {
    expect(updateOf({ additionalInfo: { refundHistory } })).not.toHaveProperty('returns')
  },
)

test.each<[unknown, bigint | null]>([
  ['IDR', 5_000_000n],
  [' IDR ', 5_000_000n],
  [{}, 5_000_000n],
  ['USD', null],
])('the amount 50000.00 of a refund with the currency %j is read as %s (in cents)', (currency, amount) => {
  const refundHistory = [{ refundNo: 'F1', refundAmount: { value: '50000.00', currency } }]
  expect(updateOf({ refundHistory })).toMatchObject({ returns: [{ kind: 'refund', id: 'F1', amount }] })
})
