import { expect, test } from 'vitest'
import { inquiry, reference } from '../../../test/support/fake-acquirer.ts'
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

test('a SNAP inquiry response about another order is rejected', () => {
  expect(() => updateOf({ originalPartnerReferenceNo: 'GP261120-0000000000' })).toThrow(
    'its answer is about another order',
  )
})

test('a SNAP inquiry response that names no order is about the requested order', () => {
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
  ['nothing', { amount: { value: '0.00', currency: 'IDR' } }, { type: 'nothing', reason: /paid 0/ }],
])('a payment in %s credits nothing', (_, changes, { type, reason }: { type?: string; reason?: RegExp }) => {
  expect(updateOf(changes)).toMatchObject({ fact: { type, reason: expect.stringMatching(reason as RegExp) } })
})

test('a refunded SNAP order without a list of refunds has one refund of unknown amount', () => {
  expect(updateOf({ latestTransactionStatus: '04' })).toMatchObject({
    returns: [{ kind: 'refund', id: null, amount: null, status: 'succeeded' }],
  })
  expect(updateOf({})).not.toHaveProperty('returns')
})

test.each([
  ['IDR', 5_000_000n],
  ['USD', null],
])('a refund in %s has the amount %s', (currency, amount) => {
  const refundHistory = [{ refundNo: 'F1', refundAmount: { value: '50000.00', currency } }]
  expect(updateOf({ refundHistory })).toMatchObject({ returns: [{ kind: 'refund', id: 'F1', amount }] })
})
