import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { dokuWithFakeAcquirer, inquiry } from '../../../test/support/doku-with-fake-acquirer.ts'
import type { Sent } from '../../../test/support/fake-acquirer.ts'
import { idr } from '../../../test/support/fake-acquirer.ts'
import { aRefund } from '../../../test/support/refund.ts'
import { doku } from './doku.ts'

const bench = dokuWithFakeAcquirer()
const refunds = doku.refunds as NonNullable<typeof doku.refunds>
const dana = aRefund(inquiry('dana', { providerPaymentId: 'A1' }))
const qris = aRefund(inquiry('qris', { providerPaymentId: 'A2' }))

/**
 * The response to a refund of an e-wallet payment. As in DOKU's samples, the response code contains the
 * service digits 07, although the SNAP standard has 58 for refunds.
 */
const accepted = {
  responseCode: '2000700',
  responseMessage: 'Successful',
  refundAmount: idr('25000.00'),
  originalPartnerReferenceNo: dana.order.reference,
  originalReferenceNo: 'A1',
  refundNo: 'F1',
  partnerRefundNo: dana.reference,
  refundTime: '2026-11-20T10:04:05+07:00',
}
const queried = {
  responseCode: '2005100',
  latestTransactionStatus: '00',
  amount: { value: 100_000, currency: 'IDR' },
  additionalInfo: { approvalCode: '1hk9vlw79634' },
}
const refunded = {
  responseCode: '2007800',
  refundNo: 'R_1',
  refundAmount: { value: 25_000, currency: 'IDR' },
  refundTime: '2026-11-20T10:04:05+07:00',
}
const isQuery = ({ path }: Sent) => path.endsWith('qr-mpm-query')

describe("the adapter sends refund requests to DOKU and reads each refund's outcome from DOKU's response", () => {
  test("a refund request for an e-wallet payment contains DOKU's channel code, an IP address and a device ID", async () => {
    bench.acquirer.answer = () => ({ body: accepted })
    expect(await refunds.refund(bench.account, { ...dana, serviceIp: '203.0.113.77' })).toEqual({
      type: 'succeeded',
      id: 'F1',
    })
    expect(bench.acquirer.calls).toHaveLength(1)
    expect(bench.acquirer.calls[0]).toMatchObject({
      path: '/doku/direct-debit/core/v1/debit/refund',
      headers: {
        'x-external-id': expect.stringMatching(/^\d{1,36}$/),
        'channel-id': 'H2H',
        'x-device-id': dana.reference.replaceAll('-', ''),
        'x-ip-address': '203.0.113.77',
      },
    })
    expect(bench.acquirer.calls[0]?.body).toEqual({
      originalPartnerReferenceNo: dana.order.reference,
      partnerRefundNo: dana.reference,
      refundAmount: idr('25000.00'),
      reason: 'one item returned',
      additionalInfo: { channel: 'EMONEY_DANA_SNAP' },
    })
  })

  test('a ShopeePay refund response can be read although it contains a status instead of a refund id', async () => {
    const { refundNo: _, ...rest } = accepted
    const answer = (latestTransactionStatus: string) => {
      bench.acquirer.answer = () => ({ body: { ...rest, additionalInfo: { latestTransactionStatus } } })
      return refunds.refund(bench.account, dana)
    }
    expect(await answer('00')).toEqual({ type: 'succeeded', id: null })
    expect(await answer('03')).toEqual({ type: 'pending', id: null })
    expect(await answer('06')).toMatchObject({ type: 'unknown' })
  })

  test("a refund request for a QRIS payment contains the approval code from DOKU's inquiry response", async () => {
    bench.acquirer.answer = sent => ({ body: isQuery(sent) ? queried : refunded })
    expect(await refunds.refund(bench.account, qris)).toEqual({ type: 'succeeded', id: 'R_1' })
    const [, sent] = bench.acquirer.calls
    expect(sent?.path).toBe('/doku/snap-adapter/b2b/v1.0/qr/qr-mpm-refund')
    expect(sent?.body).toMatchObject({
      originalPartnerReferenceNo: qris.order.reference,
      originalReferenceNo: 'A2',
      partnerRefundNo: qris.reference,
      refundAmount: { value: 25_000, currency: 'IDR' },
      additionalInfo: { approvalCode: '1hk9vlw79634' },
    })
  })

  test("the inquiry for a refund's approval code contains DOKU's ID of the order, even if this ID equals our reference", async () => {
    bench.acquirer.answer = sent => ({ body: isQuery(sent) ? queried : refunded })
    const { reference } = qris.order
    await refunds.refund(bench.account, aRefund(inquiry('qris', { providerPaymentId: reference })))
    expect(bench.acquirer.calls.map(({ body }) => body.originalReferenceNo)).toEqual([reference, reference])
  })

  test.each<[string, object | 'hang up']>([
    ['fails', { status: 500, body: { responseCode: '5005100' } }],
    ['gets no response', 'hang up'],
    ['returns no approval code', { body: { ...queried, additionalInfo: {} } }],
  ])(
    'if the inquiry for the approval code, which a QRIS refund needs, %s, no refund request is sent, and the refund can be retried',
    async (_, answer) => {
      bench.acquirer.answer = () => answer as { body: object }
      expect(await refunds.refund(bench.account, qris)).toMatchObject({ type: 'refused', isRetriable: true })
      expect(bench.acquirer.calls.every(isQuery)).toBe(true)
    },
  )

  test("if the connection breaks during a refund request, the refund's outcome is unknown", async () => {
    bench.acquirer.answer = sent => (isQuery(sent) ? { body: queried } : 'hang up')
    expect(await refunds.refund(bench.account, qris)).toMatchObject({ type: 'unknown' })
  })

  test.each([
    ['4030714', 403, 'refused'],
    ['4040701', 404, 'refused'],
    ['4090701', 409, 'unknown'],
    ['5000701', 500, 'unknown'],
    ['5040700', 504, 'unknown'],
  ])(
    'a refund request that gets the code %s with HTTP %d has the outcome %s',
    async (responseCode, status, type) => {
      bench.acquirer.answer = () => ({ status, body: { responseCode } })
      expect(await refunds.refund(bench.account, dana)).toMatchObject({ type })
    },
  )

  test('a refund for a virtual account or store payment is rejected without a request to DOKU', async () => {
    for (const channel of ['bca', 'bni', 'alfamart'])
      expect(await refunds.refund(bench.account, aRefund(inquiry(channel)))).toMatchObject({
        type: 'refused',
        isRetriable: false,
      })
    expect(bench.acquirer.calls).toEqual([])
  })

  test('a refund succeeds if DOKU returns its published QRIS response, whose amount is a JSON number', async () => {
    const name = 'refund-qris-number-amount.json'
    const { response } = JSON.parse(readFileSync(new URL(`fixtures/${name}`, import.meta.url), 'utf8'))
    bench.acquirer.answer = sent => ({ body: isQuery(sent) ? queried : response })
    expect(await refunds.refund(bench.account, { ...qris, amount: 100_000n })).toEqual({
      type: 'succeeded',
      id: 'R_74463aa1-6627-4064-a09a-e8c5cd06c1cd',
    })
  })
})

describe("an inquiry about a refund at DOKU returns the refund's status", () => {
  const listing = (...refundHistory: object[]) => ({
    responseCode: '2005500',
    latestTransactionStatus: '00',
    transAmount: idr('100000.00'),
    refundHistory,
  })
  const entry = {
    refundNo: 'F1',
    partnerReferenceNo: dana.reference,
    refundAmount: idr('25000.00'),
    refundStatus: '00',
  }

  test("the status of a refund is read from DOKU's list of the payment's refunds", async () => {
    bench.acquirer.answer = () => ({ body: listing(entry) })
    expect(await refunds.inquireRefund(bench.account, dana)).toEqual({
      status: { type: 'succeeded', id: 'F1' },
      returns: [
        { kind: 'refund', id: 'F1', reference: dana.reference, amount: 2_500_000n, status: 'succeeded' },
      ],
    })
  })

  test("a refund missing from DOKU's list has an unknown status", async () => {
    bench.acquirer.answer = () => ({ body: listing() })
    expect((await refunds.inquireRefund(bench.account, dana)).status.type).toBe('unknown')
  })
})
