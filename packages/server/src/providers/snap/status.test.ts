import { describe, expect, test } from 'vitest'
import { receive, updatesIn } from '../../../test/support/receive-callback.ts'
import { account, factOf, message, notified } from '../../../test/support/snap-notification.ts'
import { snap } from './snap.ts'

describe('for each order status in a SNAP message, the adapter reports what the status means for the payment', () => {
  test.each([
    ['00', 'paid'],
    ['01', 'pending'],
    ['02', 'pending'],
    ['03', 'pending'],
    ['04', 'nothing'],
    ['05', 'cancelled'],
    ['06', 'failed'],
    ['07', 'nothing'],
    ['08', 'expired'],
    ['09', 'failed'],
    [' 00 ', 'paid'],
  ])('the adapter reads the order status %j in a notification as %s', (latestTransactionStatus, type) => {
    expect(factOf(notified({ ...message, latestTransactionStatus }))?.type).toBe(type)
  })

  test('a SNAP notification about a payment in a foreign currency is not read as a payment', () => {
    expect(factOf(notified({ ...message, amount: { value: '25000.00', currency: 'USD' } }))?.type).toBe(
      'nothing',
    )
  })

  test.each(['amount', 'transAmount'])(
    'a payment notification with an amount in the field %s reports a payment, and a notification without an amount causes a status inquiry',
    name => {
      const paid = (money: unknown) => factOf(notified({ ...message, amount: undefined, [name]: money }))
      const padded = { value: ' 25000.00 ', currency: ' IDR ' }
      expect(paid(padded)).toMatchObject({ type: 'paid', amountPaid: 2_500_000n })
      for (const absent of [undefined, null, ''])
        expect(paid(absent)).toMatchObject({ type: 'unproven', claimsPayment: true })
    },
  )

  test.each([
    { latestTransactionStatus: '99' },
    { latestTransactionStatus: '' },
    ...['', '1e5', '25,000', {}].map(value => ({ amount: { value, currency: 'IDR' } })),
    ...[null, 360].map(currency => ({ amount: { value: '25000.00', currency } })),
    { amount: 25_000 },
  ])('a notification with an ambiguous status or amount is unreadable: %j', fields => {
    const candidates = ['GP261120-7Q4M2ZK8XW', 'A1']
    expect(receive(snap, account(), notified({ ...message, ...fields }))).toMatchObject({
      unreadable: { candidates },
    })
  })

  const refund = { refundNo: 'R1', refundAmount: { value: '5000.00', currency: 'IDR' }, refundStatus: '06' }
  test.each([
    [[refund], { id: 'R1', amount: 500_000n, status: 'failed' }],
    [[{ partnerReferenceNo: ' O1 ', refundStatus: '00' }], { id: 'O1', amount: null, status: 'succeeded' }],
    [[null, { refundAmount: '5000' }], { id: null, amount: null, status: 'pending' }],
  ])(
    'a notification about a payment also reports the refunds that its refundHistory %j lists',
    (refundHistory, expected) => {
      const reading = receive(snap, account(), notified({ ...message, additionalInfo: { refundHistory } }))
      expect(updatesIn(reading)).toMatchObject([
        { fact: { type: 'paid' }, returns: [{ kind: 'refund', ...expected }] },
      ])
    },
  )

  test('from an unparsable virtual account message, the adapter returns each id that may identify the payment', () => {
    const ids = { paymentRequestId: 'P1', inquiryRequestId: 'I1', virtualAccountNo: '   70070123' }
    const va = { trxId: 'T1', ...ids, originalExternalId: 'E1', paidAmount: 25_000 }
    expect(receive(snap, account(), notified(va, { path: '/v1.0/transfer-va/payment' }))).toMatchObject({
      unreadable: { candidates: ['T1', 'P1', 'I1', '70070123', 'E1'] },
    })
  })

  test.each(['', null, undefined])(
    'if a virtual account notification has no trxId (%j), its payment is found by the account number',
    trxId => {
      const va = {
        ...{ trxId, partnerServiceId: '   70070', virtualAccountNo: '   70070123', paymentRequestId: ' 42 ' },
        ...{ paidAmount: message.amount, additionalInfo: { paymentFlagStatus: '00' } },
      }
      expect(
        updatesIn(receive(snap, account(), notified(va, { path: '/v1.0/transfer-va/payment' }))),
      ).toEqual([
        {
          reference: null,
          providerPaymentId: '70070123',
          fact: { type: 'paid', amountPaid: 2_500_000n, receipt: '42' },
        },
      ])
    },
  )

  test("a notification without the acquirer's payment id is matched to its payment by its other ids", () => {
    const path = '/v1.0/transfer-va/payment'
    const va = { trxId: 'GP1', paidAmount: message.amount, additionalInfo: { paymentFlagStatus: '00' } }
    for (const [request, providerPaymentId] of [
      [notified({ ...va, virtualAccountNo: '   70070123' }, { path }), '70070123'],
      [notified(va, { path }), 'GP1'],
      [notified({ ...message, originalReferenceNo: null }), message.originalPartnerReferenceNo],
    ] as const) {
      const [update] = updatesIn(receive(snap, account(), request))
      expect(update).toMatchObject({ providerPaymentId, fact: { type: 'paid', amountPaid: 2_500_000n } })
      expect(update?.fact).not.toHaveProperty('receipt')
    }
  })

  test("a SNAP notification's payment time is read from finishedTime, paidTime or paymentTime, and a malformed time is ignored", () => {
    const at = new Date('2026-05-27T07:30:00Z')
    const time = '2026-05-27T14:30:00+07:00'
    for (const more of [
      { additionalInfo: { paymentTime: time } },
      { finishedTime: time },
      { paidTime: '2026-05-27T14:30:00' },
      { additionalInfo: { paymentTime: ` ${time} ` } },
      { finishedTime: ` ${time} ` },
      { paidTime: ` ${time} ` },
    ])
      expect(factOf(notified({ ...message, ...more }))).toMatchObject({ paidAt: at })
    const path = '/v1.0/transfer-va/payment'
    const vaPaidAt = (times: object) => {
      const additionalInfo = { paymentFlagStatus: '00', ...times }
      const fact = factOf(notified({ trxId: 'GP1', paidAmount: message.amount, additionalInfo }, { path }))
      return fact?.type === 'paid' && fact.paidAt
    }
    for (const times of [
      { paidTime: ` ${time} ` },
      { paymentTime: time },
      { paidTime: '', paymentTime: time },
    ])
      expect(vaPaidAt(times)).toEqual(at)
    expect(vaPaidAt({ paidTime: [time] })).toBeUndefined()
    for (const finishedTime of ['soon', [time], 7, {}])
      expect(factOf(notified({ ...message, finishedTime }))).not.toHaveProperty('paidAt')
  })
})
