import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { dokuPaths, idr, request } from '../../test/support/doku-merchant.ts'
import type { Json } from '../../test/support/merchant.ts'
import { startReceiver } from '../../test/support/receiver.ts'
import {
  askToken,
  type Caller,
  callSnap,
  dokuCredentials,
  getJson,
  newReference,
  register,
  simulate,
} from '../../test/support/snap-merchant.ts'
import { type RunningSandbox, startSandbox } from '../server.ts'

let sandbox: RunningSandbox
let receiver: Awaited<ReturnType<typeof startReceiver>>
let caller: Caller

beforeAll(async () => {
  sandbox = await startSandbox({ port: 0 })
  receiver = await startReceiver(() => ({ status: 200, body: '{"accessToken":"ours"}' }))
  const { client_id, secret_key: secret } = dokuCredentials
  await register(sandbox.url, 'doku', dokuCredentials, receiver.url)
  const base = `${sandbox.url}/doku`
  const { body } = await askToken(base, '/authorization/v1/access-token/b2b', client_id)
  caller = { base, token: body.accessToken, secret, partnerId: client_id }
})
afterAll(async () => {
  await sandbox.close()
  await receiver.close()
})
beforeEach(() => {
  receiver.received.length = 0
})

const DEBIT = '/direct-debit/core/v1/debit/refund'
const QR = '/snap-adapter/b2b/v1.0/qr/qr-mpm-refund'
const known = { 'x-ip-address': '127.000.0.001', 'x-device-id': 'device' }

/** Creates a paid order for 11,500 rupiah. */
async function paid(kind: 'debit' | 'qr', channel = 'EMONEY_DANA_SNAP', name = 'Budi') {
  const body = request(kind, name)
  if (kind === 'debit') body.additionalInfo.channel = channel
  await callSnap(caller, dokuPaths[kind], body)
  const reference: string = body.partnerReferenceNo
  await simulate(sandbox.url, { payment_code: reference, outcome: 'paid' })
  receiver.received.length = 0
  return { reference, channel }
}
type Paid = Awaited<ReturnType<typeof paid>>

const refund = ({ reference, channel }: Paid, over: Json = {}, headers: Record<string, string> = known) =>
  callSnap(
    caller,
    DEBIT,
    {
      originalPartnerReferenceNo: reference,
      refundAmount: idr('11500.00'),
      partnerRefundNo: newReference(),
      reason: 'one item',
      additionalInfo: { channel },
      ...over,
    },
    { over: headers },
  )
const record = async ({ reference }: Paid) =>
  (await getJson(`${sandbox.url}/orders?payment_code=${reference}`)).orders[0]

async function inquire({ reference }: Paid): Promise<Json> {
  const additionalInfo = { channel: 'EMONEY_DANA_SNAP' }
  const asked = { originalPartnerReferenceNo: reference, serviceCode: '55', additionalInfo }
  return (await callSnap(caller, '/orders/v1.0/debit/status', asked)).body
}

describe('a merchant can refund wallet payments at DOKU', () => {
  test('a DOKU status inquiry lists the refund of a wallet payment', async () => {
    const order = await paid('debit')
    const { status, body } = await refund(order, { refundAmount: idr('1500.00'), partnerRefundNo: 'R-1' })
    expect([status, body]).toEqual([
      200,
      {
        responseCode: '2000700',
        responseMessage: 'Successful',
        refundAmount: idr('1500.00'),
        originalPartnerReferenceNo: order.reference,
        originalReferenceNo: expect.any(String),
        partnerRefundNo: 'R-1',
        refundNo: expect.any(String),
        refundTime: expect.any(String),
      },
    ])
    await refund(order, { refundAmount: idr('10000.00'), partnerRefundNo: 'R-2' })
    expect(await inquire(order)).toMatchObject({
      latestTransactionStatus: '04',
      refundHistory: [
        { partnerReferenceNo: 'R-1', refundAmount: idr('1500.00'), refundStatus: '00' },
        { partnerReferenceNo: 'R-2', refundAmount: idr('10000.00'), refundStatus: '00' },
      ],
    })
    expect(await record(order)).toMatchObject({ held_cents: 0 })
  })

  test("the sandbox's response to a DOKU refund of a ShopeePay payment contains no refundNo", async () => {
    const order = await paid('debit', 'EMONEY_SHOPEE_PAY_SNAP')
    const { body } = await refund(order)
    expect(body).toMatchObject({ additionalInfo: { latestTransactionStatus: '00' } })
    expect(body).not.toHaveProperty('refundNo')
  })

  test('the sandbox sends no notification of a DOKU wallet refund, because DOKU documents none', async () => {
    const order = await paid('debit')
    await refund(order, { refundAmount: idr('500.00') })
    const { callbacks } = await simulate(sandbox.url, { payment_code: order.reference, outcome: 'refunded' })
    expect(callbacks).toEqual([])
    expect(receiver.received).toEqual([])
    expect(await inquire(order)).toMatchObject({ latestTransactionStatus: '04' })
  })

  test.each([
    ['more than the remaining amount', { refundAmount: idr('11501.00') }, '4040713'],
    ['another channel than the order’s', { additionalInfo: { channel: 'EMONEY_OVO_SNAP' } }, '4040701'],
    ['no amount', { refundAmount: undefined }, '4000702'],
    ['no partnerRefundNo', { partnerRefundNo: undefined }, '4000702'],
    ['a partnerRefundNo of 65 characters', { partnerRefundNo: 'R'.repeat(65) }, '4000701'],
  ])('a DOKU refund with %s is rejected and returns no money', async (_name, over, code) => {
    const order = await paid('debit')
    expect((await refund(order, over)).body.responseCode).toBe(code)
    expect(await record(order)).toMatchObject({ held_cents: 1_150_000, returns: [] })
  })

  test('a DOKU refund request requires a valid IP address and allows no symbols in the device ID', async () => {
    const order = await paid('debit')
    const code = async (headers: Record<string, string>) =>
      (await refund(order, {}, headers)).body.responseCode
    expect(await code({ ...known, 'x-ip-address': '' })).toBe('4000702')
    expect(await code({ ...known, 'x-ip-address': '10.0.0.1' })).toBe('4000701')
    expect(await code({ ...known, 'x-device-id': 'GP261120-0000000000-R1' })).toBe('4000701')
    expect(await code({ 'x-ip-address': known['x-ip-address'] })).toBe('2000700')
  })

  test('a DOKU refund request with an already used partnerRefundNo is rejected as a duplicate', async () => {
    const order = await paid('debit')
    const over = { refundAmount: idr('1500.00'), partnerRefundNo: 'R-1' }
    await refund(order, over)
    expect((await refund(order, over)).body.responseCode).toBe('4090701')
    expect(await record(order)).toMatchObject({ held_cents: 1_000_000 })
  })

  test('if an accepted DOKU refund fails, a status inquiry shows the failure and the payer receives no money', async () => {
    const order = await paid('debit', 'EMONEY_DANA_SNAP', 'SANDBOX REFUND FAIL')
    expect((await refund(order)).body.responseCode).toBe('2020700')
    await expect
      .poll(async () => (await inquire(order)).refundHistory)
      .toMatchObject([{ refundStatus: '06' }])
    expect(await record(order)).toMatchObject({ held_cents: 1_150_000 })
  })
})

describe('a merchant can refund QR payments at DOKU', () => {
  const vector = JSON.parse(
    readFileSync(
      new URL('../../../server/src/providers/doku/fixtures/refund-qris-number-amount.json', import.meta.url),
      'utf8',
    ),
  )
  async function approvalCode({ reference }: Paid): Promise<string> {
    const asked = { originalReferenceNo: reference, originalPartnerReferenceNo: reference, serviceCode: '47' }
    const path = '/snap-adapter/b2b/v1.0/qr/qr-mpm-query'
    return (await callSnap(caller, path, asked)).body.additionalInfo.approvalCode
  }
  const published = ({ reference }: Paid, code: string) => ({
    ...vector.http_request.body,
    originalPartnerReferenceNo: reference,
    originalReferenceNo: reference,
    partnerRefundNo: newReference(),
    additionalInfo: { approvalCode: code },
  })

  test("DOKU's published request for a QR payment refund gets the published response", async () => {
    const order = await paid('qr')
    const { status, body } = await callSnap(caller, QR, published(order, await approvalCode(order)))
    expect([status, body]).toEqual([
      200,
      {
        responseCode: '2007800',
        responseMessage: 'Successful',
        refundNo: expect.any(String),
        refundAmount: { value: 1000, currency: 'IDR' },
        refundTime: expect.any(String),
      },
    ])
    expect(Object.keys(body)).toEqual(expect.arrayContaining(Object.keys(vector.response)))
    expect(await record(order)).toMatchObject({ held_cents: 1_050_000 })
  })

  test('a DOKU refund of a QR payment requires the approvalCode of the paid order', async () => {
    const order = await paid('qr')
    const { body } = await callSnap(caller, QR, published(order, 'another'))
    expect(body.responseCode).toBe('4007801')
    expect(await record(order)).toMatchObject({ returns: [] })
  })
})
