import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  type Answer,
  accepted,
  accountAt,
  asked,
  type FakeAcquirer,
  fakeAcquirer,
  idr,
  inquiry,
  kindOf,
  order,
  reference,
  type Sent,
  sentReference,
} from '../../../test/support/fake-acquirer.ts'
import type { ProviderAccount } from '../provider.ts'
import type { Credentials } from './credentials.ts'
import { snap } from './snap.ts'
import { customerNoOf } from './translate.ts'

let acquirer: FakeAcquirer
let account: ProviderAccount<Credentials>
beforeEach(async () => {
  acquirer = await fakeAcquirer()
  account = accountAt(acquirer.url)
})
afterEach(() => acquirer.close())

const va = (data: object, more: object = {}): Answer => ({
  body: {
    responseCode: '2002600',
    virtualAccountData: { virtualAccountNo: `   ${asked}`, inquiryRequestId: sentReference, ...data },
    ...more,
  },
})

const found = (data: object): Answer => ({
  body: { responseCode: '2005100', latestTransactionStatus: '03', ...data },
})
const notFound: Answer = { status: 404, body: { responseCode: '4045101' } }
const status07 = (channel: string): Answer =>
  channel === 'bca' ? va({ paymentFlagStatus: '07' }) : found({ latestTransactionStatus: '07' })

describe("a SNAP status inquiry reports a virtual account's status only if the response is about the requested order", () => {
  test('if the charge response was lost, a status inquiry uses the account number requested in the charge', async () => {
    acquirer.answer = () => va({ paymentFlagStatus: '03' })
    expect(await snap.inquire(account, inquiry())).toEqual({
      reference,
      providerPaymentId: asked,
      fact: { type: 'pending', methodData: { type: 'virtual_account', bank: 'BCA', va_number: asked } },
    })
    expect(acquirer.calls[0]?.body).toEqual({
      partnerServiceId: '   70012',
      customerNo: customerNoOf(reference),
      virtualAccountNo: `   ${asked}`,
      inquiryRequestId: sentReference,
      additionalInfo: { merchantId: account.credentials.merchant_id },
    })
  })

  test('a status inquiry contains the account number that the provider assigned, even without our prefix (BIN)', async () => {
    acquirer.answer = () => va({ paymentFlagStatus: '03', virtualAccountNo: '9887001212345678' })
    const methodData = { type: 'virtual_account', bank: 'BCA', va_number: '9887001212345678' } as const
    await snap.inquire(account, inquiry('bca', { methodData, providerPaymentId: '9887001212345678' }))
    expect(acquirer.calls[0]?.body).toMatchObject({
      partnerServiceId: '98870012',
      customerNo: '12345678',
      virtualAccountNo: '9887001212345678',
    })
  })

  test('a status inquiry about a paid virtual account reports the amount, the payment time and the payment id', async () => {
    acquirer.answer = () =>
      va({
        paymentFlagStatus: '00',
        paymentRequestId: 'P1',
        paidAmount: idr('100000.00'),
        transactionDate: '2026-11-20T10:16:04+07:00',
      })
    expect(await snap.inquire(account, inquiry())).toEqual({
      reference,
      providerPaymentId: 'P1',
      fact: {
        type: 'paid',
        amountPaid: 10_000_000n,
        paidAt: new Date('2026-11-20T03:16:04Z'),
        receipt: 'P1',
      },
    })
  })

  test('a response without a status reports a payment only with both an amount and a payment id', async () => {
    acquirer.answer = () => va({ paymentRequestId: 'P1', paidAmount: idr('100000.00') })
    expect(await snap.inquire(account, inquiry())).toMatchObject({ fact: { type: 'paid' } })
    acquirer.answer = () => va({})
    expect(await snap.inquire(account, inquiry())).toMatchObject({ fact: { type: 'pending' } })
    for (const half of [{ paymentRequestId: 'P1' }, { paidAmount: idr('100000.00') }]) {
      acquirer.answer = () => va(half)
      expect(await snap.inquire(account, inquiry())).toBe('not_reported')
    }
  })

  test.each([{ trxId: 'GP261120-OTHER' }, { trxId: 'GP261120-OTHER', inquiryRequestId: undefined }])(
    'a status inquiry fails if its response %j is for a different order',
    async wrong => {
      acquirer.answer = () => va({ paymentFlagStatus: '00', paidAmount: idr('100000.00'), ...wrong })
      expect(await kindOf(snap.inquire(account, inquiry()))).toBe('unknown')
    },
  )

  test("a reported payment without a paid amount is inconclusive if its total differs from the order's amount", async () => {
    for (const totalAmount of [undefined, idr('99999.00'), idr('100000.005')]) {
      acquirer.answer = () => va({ paymentFlagStatus: '00', paymentRequestId: 'P1', totalAmount })
      expect(await snap.inquire(account, inquiry())).toBe('not_reported')
    }
  })

  test('for a settled virtual account without a paid amount, a matching total amount counts as paid', async () => {
    acquirer.answer = () =>
      va({ paymentFlagStatus: '00', paymentRequestId: 'P1', totalAmount: idr('100000.00') })
    expect(await snap.inquire(account, inquiry())).toMatchObject({
      fact: { type: 'paid', amountPaid: 10_000_000n, receipt: 'P1' },
    })
    const totalAmount = { value: '100000.00', currency: 'USD' }
    acquirer.answer = () => va({ paymentFlagStatus: '00', paymentRequestId: 'P1', totalAmount })
    expect(await snap.inquire(account, inquiry())).toMatchObject({ fact: { type: 'nothing' } })
    acquirer.answer = () => va({ paymentFlagStatus: '03', totalAmount: idr('100000.00') })
    expect(await snap.inquire(account, inquiry())).toMatchObject({ fact: { type: 'pending' } })
    acquirer.answer = () => va({ totalAmount: idr('100000.00') })
    expect(await snap.inquire(account, inquiry())).toMatchObject({ fact: { type: 'pending' } })
  })

  test.each(['Pending', 'Unpaid', 'Not paid', 'Expired'])(
    "if a status inquiry's response has no status and gives the payment reason %j instead of Success, the inquiry is inconclusive",
    async english => {
      const paid = { paymentRequestId: 'P1', paidAmount: idr('100000.00') }
      acquirer.answer = () => va({ ...paid, paymentFlagReason: { english } })
      expect(await snap.inquire(account, inquiry())).toBe('not_reported')
      acquirer.answer = () => va({ ...paid, paymentFlagReason: { english: 'Success' } })
      expect(await snap.inquire(account, inquiry())).toMatchObject({ fact: { type: 'paid' } })
    },
  )

  test("an inquiry response with our reference is accepted even if its account number differs from the payment's", async () => {
    acquirer.answer = () => va({ paymentFlagStatus: '00', paidAmount: idr('100000.00') })
    const methodData = { type: 'virtual_account', bank: 'BCA', va_number: '70012999' } as const
    expect(await snap.inquire(account, inquiry('bca', { methodData }))).toMatchObject({
      reference,
      fact: { type: 'paid', amountPaid: 10_000_000n },
    })
    acquirer.answer = () =>
      va({ paymentFlagStatus: '00', paidAmount: idr('100000.00'), inquiryRequestId: undefined })
    expect(await kindOf(snap.inquire(account, inquiry('bca', { methodData })))).toBe('unknown')
  })

  test('a status inquiry is inconclusive if the response does not refer to this order', async () => {
    acquirer.answer = () =>
      va({ paymentFlagStatus: '00', inquiryRequestId: 'other', virtualAccountNo: '70012999' })
    expect(await snap.inquire(account, inquiry())).toBe('not_reported')
  })

  test.each(['4042601', '4042612'])(
    'if the response to a status inquiry has the code %s, the inquiry reports that the order does not exist',
    async responseCode => {
      acquirer.answer = () => ({ status: 404, body: { responseCode } })
      expect(await snap.inquire(account, inquiry())).toBe('absent')
    },
  )

  test('a response with the status 07 (not found) is inconclusive', async () => {
    acquirer.answer = () => va({ paymentFlagStatus: '07' })
    expect(await snap.inquire(account, inquiry())).toBe('not_reported')
    expect(acquirer.calls).toHaveLength(2)
  })
})

describe('the SNAP adapter inquires about QRIS and wallet payments', () => {
  test.each([
    ['qris', '/snap/v1.0/qr/qr-mpm-query', '47', 'amount'],
    ['gopay', '/snap/v1.0/debit/status', '54', 'transAmount'],
  ])(
    'a status inquiry about a paid %s order reports the paid amount and the receipt ID',
    async (channel, path, serviceCode, amount) => {
      acquirer.answer = () => ({
        body: {
          responseCode: '2005100',
          originalReferenceNo: 'A1',
          originalPartnerReferenceNo: reference,
          latestTransactionStatus: '00',
          [amount]: idr('100000.00'),
        },
      })
      expect(await snap.inquire(account, inquiry(channel, { providerPaymentId: 'A1' }))).toEqual({
        reference,
        providerPaymentId: 'A1',
        fact: { type: 'paid', amountPaid: 10_000_000n, receipt: 'A1' },
      })
      expect(acquirer.calls[0]?.path).toBe(path)
      expect(acquirer.calls[0]?.body).toMatchObject({
        originalReferenceNo: 'A1',
        originalPartnerReferenceNo: sentReference,
        serviceCode,
      })
    },
  )

  test("if a wallet payment's charge response was lost, a status inquiry uses the charge's X-EXTERNAL-ID", async () => {
    acquirer.answer = accepted
    await snap.charge(account, order('gopay'))
    acquirer.answer = () => ({ body: { responseCode: '2005500', latestTransactionStatus: '03' } })
    expect(await snap.inquire(account, inquiry('gopay'))).toMatchObject({ fact: { type: 'pending' } })
    const [charge, first] = acquirer.calls as [Sent, Sent]
    expect(first.body.originalExternalId).toBe(charge.headers['x-external-id'])
    expect(first.body).not.toHaveProperty('originalReferenceNo')
    expect(acquirer.calls).toHaveLength(2)
  })

  test.each([
    ['bca', () => va({ paymentFlagStatus: '03', inquiryRequestId: reference })],
    ['qris', () => found({ originalPartnerReferenceNo: reference })],
    ['gopay', () => found({})],
  ])(
    'a status inquiry about a payment by %s tries our reference with and without dashes, and the order is absent only if both are unknown',
    async (channel, answer) => {
      // Earlier versions of this service sent the reference with dashes, or a number as X-EXTERNAL-ID. The
      // acquirer (the payment provider) knows their charges only by these values.
      const knows = ({ body }: Sent) =>
        [body.inquiryRequestId, body.originalPartnerReferenceNo].includes(reference) ||
        /^\d{32}$/.test(String(body.originalExternalId))
      for (const missing of [notFound, status07(channel)]) {
        acquirer.answer = sent => (knows(sent) ? answer() : missing)
        expect(await snap.inquire(account, inquiry(channel))).toMatchObject({
          reference,
          fact: { type: 'pending' },
        })
      }
      acquirer.answer = () => notFound
      expect(await snap.inquire(account, inquiry(channel))).toBe('absent')
      for (const [without, withDashes] of [
        [status07(channel), notFound],
        [notFound, status07(channel)],
        [status07(channel), status07(channel)],
      ] as const) {
        acquirer.answer = sent => (knows(sent) ? withDashes : without)
        expect(await snap.inquire(account, inquiry(channel))).toBe('not_reported')
      }
    },
  )

  test('a status inquiry fails if the response is for a different order', async () => {
    acquirer.answer = () => ({
      body: { responseCode: '2005100', originalPartnerReferenceNo: 'other', latestTransactionStatus: '00' },
    })
    expect(await kindOf(snap.inquire(account, inquiry('qris')))).toBe('unknown')
  })

  test.each([
    { latestTransactionStatus: '00' },
    { latestTransactionStatus: '00', amount: { value: '25,000', currency: 'IDR' } },
    { latestTransactionStatus: '99' },
    { latestTransactionStatus: null },
  ])(
    'a status inquiry fails and is repeated if a required field of the response has an ambiguous value: %j',
    async fields => {
      acquirer.answer = () => ({ body: { responseCode: '2005100', ...fields } })
      expect(await kindOf(snap.inquire(account, inquiry('qris')))).toBe('unknown')
    },
  )

  test('a status inquiry about a refunded payment reports it as paid and lists the refund', async () => {
    const amount = { value: '25000.00', currency: 'IDR' }
    const refundHistory = [{ refundNo: 'R1', refundAmount: amount, refundStatus: '00' }]
    acquirer.answer = () => ({
      body: { responseCode: '2005100', latestTransactionStatus: '04', transAmount: amount, refundHistory },
    })
    expect(await snap.inquire(account, inquiry('gopay'))).toMatchObject({
      fact: { type: 'paid', amountPaid: 2_500_000n },
      returns: [{ kind: 'refund', id: 'R1', amount: 2_500_000n, status: 'succeeded' }],
    })
  })

  test('if a proxy responds with 404, a status inquiry does not report the order as absent', async () => {
    for (const body of ['<html></html>', '{}', '{"responseCode":"4045108"}']) {
      acquirer.answer = () => ({ status: 404, body })
      expect(await kindOf(snap.inquire(account, inquiry('qris')))).not.toBe('no error')
    }
  })

  test('each status inquiry has a new X-EXTERNAL-ID', async () => {
    acquirer.answer = () => ({ body: { responseCode: '2005100', latestTransactionStatus: '03' } })
    for (let i = 0; i < 3; i++) await snap.inquire(account, inquiry('qris'))
    expect(new Set(acquirer.calls.map(call => call.headers['x-external-id'])).size).toBe(3)
    for (const { headers } of acquirer.calls) expect(headers['x-external-id']).toMatch(/^\d{1,36}$/)
  })
})
