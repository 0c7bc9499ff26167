import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  accountAt,
  type FakeAcquirer,
  fakeAcquirer,
  idr,
  inquiry,
  sentReference,
} from '../../../test/support/fake-acquirer.ts'
import { changesOf } from '../../../test/support/field-changes.ts'
import { aRefund } from '../../../test/support/refund.ts'
import type { ProviderAccount, Refund } from '../provider.ts'
import type { RefundOutcome } from '../refund.ts'
import type { Credentials } from './credentials.ts'
import { transactionSignature } from './signature.ts'
import { snap } from './snap.ts'

let acquirer: FakeAcquirer
let account: ProviderAccount<Credentials>
beforeEach(async () => {
  acquirer = await fakeAcquirer()
  account = accountAt(acquirer.url)
})
afterEach(() => acquirer.close())

const refundOf = (channel: 'gopay' | 'qris', overrides: Partial<Refund> = {}): Refund =>
  aRefund(inquiry(channel, { providerPaymentId: 'A1' }), overrides)
const { reference } = refundOf('gopay')
const calls = () => snap.refunds as NonNullable<typeof snap.refunds>
const request = (refund: Refund) => calls().refund(account, refund)
const replies = (body: object | string, status = 200) => {
  acquirer.answer = () => ({ status, body })
}
const typeOf = async (outcome: Promise<RefundOutcome>) => {
  const { type, ...rest } = await outcome
  return 'isRetriable' in rest && rest.isRetriable ? 'retriable' : type
}

/** The responses to refund requests, as shown in docs.midtrans.com refund-api. */
const accepted = {
  gopay: {
    responseCode: '2005800',
    responseMessage: 'Request has been processed successfully',
    originalReferenceNo: 'A1',
    refundNo: 'F1',
    partnerRefundNo: reference,
    refundAmount: idr('25000.00'),
    refundTime: '2026-11-20T10:04:05+07:00',
  },
  qris: {
    responseCode: '2007800',
    responseMessage: 'Request has been processed successfully',
    originalPartnerReferenceNo: sentReference,
    originalReferenceNo: 'A1',
    referenceNo: 'REF1',
    partnerRefundNo: reference,
    refundAmount: idr('25000.00'),
    refundTime: '2026-11-20T10:04:05+07:00',
    additionalInfo: null,
  },
}

describe('refund requests over BI-SNAP', () => {
  test.each([
    ['gopay', '/snap/v1.0/debit/refund', 'F1', {}],
    ['qris', '/snap/v1.0/qr/qr-mpm-refund', 'REF1', { merchantId: expect.any(String) }],
  ] as const)(
    'a refund of a payment by %s has our reference as partnerRefundNo and X-EXTERNAL-ID',
    async (channel, path, id, more) => {
      replies(accepted[channel])
      expect(await request(refundOf(channel))).toEqual({ type: 'succeeded', id })
      expect(acquirer.calls).toHaveLength(1)
      expect(acquirer.calls[0]).toMatchObject({ path, headers: { 'x-external-id': reference } })
      expect(acquirer.calls[0]?.body).toEqual({
        originalPartnerReferenceNo: sentReference,
        originalReferenceNo: 'A1',
        partnerRefundNo: reference,
        refundAmount: idr('25000.00'),
        reason: 'one item returned',
        ...more,
      })
      expect(reference).toMatch(/^[A-Za-z0-9_-]{1,36}$/)
    },
  )

  test.each(['gopay', 'qris'] as const)(
    "if the charge of a payment by %s got no response, the refund request identifies the charge by the charge's X-EXTERNAL-ID",
    async channel => {
      replies(accepted[channel])
      await request({ ...refundOf(channel), order: inquiry(channel) })
      expect(acquirer.calls[0]?.body).toMatchObject({ originalExternalId: sentReference })
      expect(acquirer.calls[0]?.body).not.toHaveProperty('originalReferenceNo')
    },
  )

  test("if a refund request's token is rejected, the request is sent again with the same X-EXTERNAL-ID", async () => {
    acquirer.answer = () =>
      acquirer.calls.length === 1
        ? { status: 401, body: { responseCode: '4015801' } }
        : { body: accepted.gopay }
    expect(await typeOf(request(refundOf('gopay')))).toBe('succeeded')
    expect(acquirer.calls.map(({ headers }) => headers['x-external-id'])).toEqual([reference, reference])
  })

  const codes: [string, string][] = [
    ['200ss00', 'succeeded'],
    ['200ss01', 'unknown'],
    ['202ss00', 'pending'],
    ['202ss01', 'pending'],
    ['400ss00', 'refused'],
    ['400ss01', 'refused'],
    ['400ss02', 'refused'],
    ['400ss03', 'unknown'],
    ['401ss00', 'refused'],
    ['401ss01', 'refused'],
    ['403ss02', 'refused'],
    ['403ss14', 'refused'],
    ['403ss15', 'refused'],
    ['403ss23', 'refused'],
    ['403ss00', 'unknown'],
    ['404ss00', 'refused'],
    ['404ss01', 'refused'],
    ['404ss13', 'refused'],
    ['404ss08', 'unknown'],
    ['409ss00', 'unknown'],
    ['409ss01', 'unknown'],
    ['429ss00', 'unknown'],
    ['500ss00', 'unknown'],
    ['500ss01', 'unknown'],
    ['503ss00', 'unknown'],
    ['504ss00', 'unknown'],
    ['900ss00', 'unknown'],
  ]
  test.each(codes)(
    "if the response to the refund of a GoPay or QRIS payment has the code %s, the refund's outcome is %s",
    async (code, expected) => {
      for (const [channel, service] of [
        ['gopay', '58'],
        ['qris', '78'],
      ] as const) {
        const responseCode = code.replace('ss', service)
        const status = Number(code.slice(0, 3))
        const body = { ...accepted[channel], responseCode, responseMessage: 'words of the acquirer' }
        replies(body, status < 600 ? status : 200)
        expect([channel, await typeOf(request(refundOf(channel)))]).toEqual([channel, expected])
        // The error code in the response body determines the outcome, even if the HTTP status is 200.
        replies(body)
        expect([channel, await typeOf(request(refundOf(channel)))]).toEqual([channel, expected])
        if (expected !== 'refused') continue
        const repeated = await request(refundOf(channel, { isRepeated: true }))
        expect([channel, repeated.type]).toEqual([channel, 'unknown'])
      }
    },
  )

  test('a refund at a forbidden time of day can be retried, but not after the refund window', async () => {
    replies({ responseCode: '4057801' }, 405)
    expect(await typeOf(request(refundOf('qris')))).toBe('refused')
    replies({ responseCode: '4055801' }, 405)
    expect(await typeOf(request(refundOf('gopay')))).toBe('retriable')
  })

  test('a refund that Midtrans rejects because the payment is still in progress can be retried', async () => {
    const responseMessage = 'Transaction Not Permitted.Refund not processable when payment is in progress'
    replies({ responseCode: '4035815', responseMessage }, 403)
    expect(await typeOf(request(refundOf('gopay')))).toBe('retriable')
  })

  test("a refund response with the eight-digit response code from Midtrans' documentation counts as a success", async () => {
    replies({ ...accepted.gopay, responseCode: '20058000' })
    expect(await typeOf(request(refundOf('gopay')))).toBe('succeeded')
  })

  test.each<[number, object | string]>([
    [200, { ...accepted.gopay, partnerRefundNo: 'another' }],
    [200, { ...accepted.gopay, refundAmount: idr('26000.00') }],
    [200, { ...accepted.gopay, refundAmount: { value: '25000.00', currency: 'USD' } }],
    [200, { ...accepted.gopay, refundAmount: 'all' }],
    [200, { responseMessage: 'OK' }],
    [500, accepted.gopay],
    [400, { ...accepted.gopay, responseCode: '4035814' }],
    [502, '<html>Bad Gateway</html>'],
  ])('a refund request that gets HTTP %d with the body %j has an unknown outcome', async (status, body) => {
    replies(body, status)
    expect(await typeOf(request(refundOf('gopay')))).toBe('unknown')
  })

  test("a refund's outcome is unknown after a broken request, but not after a failed token request", async () => {
    acquirer.answer = () => 'hang up'
    expect(await typeOf(request(refundOf('gopay')))).toBe('unknown')
    account = accountAt(acquirer.url)
    acquirer.token = () => 'hang up'
    expect(await typeOf(request(refundOf('gopay')))).toBe('retriable')
  })

  test('the adapter refuses a refund of a virtual account payment and sends no request to the provider', async () => {
    expect(await typeOf(request(aRefund(inquiry('bca'))))).toBe('refused')
    expect(acquirer.calls).toEqual([])
  })

  test.each(['gopay', 'qris'] as const)(
    'a successful response to a %s refund never counts as a rejection, even if one of its fields is missing or changed',
    async channel => {
      for (const { path, kind, message } of changesOf(accepted[channel])) {
        replies(message as object)
        const type = await typeOf(request(refundOf(channel)))
        expect([path, kind, type]).not.toEqual([path, kind, expect.stringMatching(/^re/)])
      }
    },
  )

  test("Midtrans' published response to a QRIS refund counts as a success", async () => {
    const name = 'refund-qr-mpm-success-official.json'
    const { response, http_request } = JSON.parse(
      readFileSync(new URL(`fixtures/${name}`, import.meta.url), 'utf8'),
    )
    replies(response)
    const refund = refundOf('qris', { reference: http_request.body.partnerRefundNo, amount: 1_000_000n })
    expect(await request(refund)).toEqual({ type: 'succeeded', id: 'REF993883' })
  })
})

test("this service's signature for Midtrans' published refund request equals the published signature", () => {
  const name = 'refund-signing-qr-mpm.json'
  const { inputs, expected } = JSON.parse(readFileSync(new URL(`fixtures/${name}`, import.meta.url), 'utf8'))
  const { client_secret, access_token, path, body, timestamp } = inputs
  const signed = { path, body: Buffer.from(body), timestamp }
  expect(transactionSignature(client_secret, access_token, signed)).toBe(expected)
})

describe('the SNAP adapter reads the status of a refund from the response to an inquiry about its order', () => {
  const entry = {
    refundNo: 'F1',
    partnerReferenceNo: reference,
    refundAmount: idr('25000.00'),
    refundStatus: '00',
    refundDate: '2026-11-20T10:04:05+07:00',
    reason: 'one item returned',
  }
  const theirs = { ...entry, refundNo: 'F2', partnerReferenceNo: 'F2', refundAmount: idr('5000.00') }
  const listing = (channel: 'gopay' | 'qris', ...refundHistory: object[]) => ({
    responseCode: channel === 'qris' ? '2005100' : '2005500',
    originalReferenceNo: 'A1',
    originalPartnerReferenceNo: sentReference,
    latestTransactionStatus: '00',
    amount: idr('100000.00'),
    transAmount: idr('100000.00'),
    ...(channel === 'qris' ? { additionalInfo: { refundHistory } } : { refundHistory }),
  })
  const inquire = (channel: 'gopay' | 'qris') => calls().inquireRefund(account, refundOf(channel))

  test.each<[string, object[], object]>([
    ['status 00 has succeeded', [theirs, entry], { type: 'succeeded', id: 'F1' }],
    ['status 06 has failed', [{ ...entry, refundStatus: '06' }], { type: 'failed', id: 'F1' }],
    ['another status is pending', [{ ...entry, refundStatus: '03' }], { type: 'pending', id: 'F1' }],
    [
      'our reference in the field partnerRefundNo is found',
      [{ ...entry, partnerReferenceNo: undefined, partnerRefundNo: reference }],
      { type: 'succeeded', id: 'F1' },
    ],
    ['another reference does not count as our refund, which is absent', [theirs], { type: 'absent' }],
  ])('in the response to a status inquiry over BI-SNAP, a refund with %s', async (_, entries, status) => {
    for (const channel of ['gopay', 'qris'] as const) {
      replies(listing(channel, ...entries))
      expect([channel, (await inquire(channel)).status]).toEqual([channel, status])
    }
  })

  test('our refund is reported as unknown if a listed refund lacks a reference or the order is not found', async () => {
    replies(listing('gopay', { ...theirs, partnerReferenceNo: undefined }))
    expect((await inquire('gopay')).status.type).toBe('unknown')
    replies({ responseCode: '4045501' }, 404)
    expect((await inquire('gopay')).status.type).toBe('unknown')
    replies({ responseCode: '5005501' }, 500)
    expect((await inquire('gopay')).status.type).toBe('unknown')
  })

  test('a listed refund is never reported as failed, even if a field is missing or malformed', async () => {
    for (const { path, kind, message } of changesOf(listing('gopay', entry))) {
      replies(message as object)
      const { status } = await inquire('gopay')
      const mayHide = path[0] === 'refundHistory' && (path.length < 3 || path[2] === 'partnerReferenceNo')
      expect([path, kind, status.type]).not.toEqual([path, kind, 'failed'])
      if (!mayHide) expect([path, kind, status.type]).not.toEqual([path, kind, 'absent'])
    }
  })
})
