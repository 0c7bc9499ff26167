import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  callDuitku,
  createBody,
  type DuitkuMerchant,
  hmacMerchant,
  md5Merchant,
  registerDuitku,
  sign,
  statusBody,
} from '../../test/support/duitku-merchant.ts'
import { call, type Json } from '../../test/support/merchant.ts'
import { type Received, startReceiver, until } from '../../test/support/receiver.ts'
import { type RunningSandbox, startSandbox } from '../server.ts'

let sandbox: RunningSandbox
let receiver: Awaited<ReturnType<typeof startReceiver>>
let status: number

const control = (path: string, body?: unknown) => call(`${sandbox.url}${path}`, body, { serverKey: null })

beforeAll(async () => {
  receiver = await startReceiver(() => ({ status }))
  sandbox = await startSandbox({ port: 0, retryScale: 0, scanMs: 10 })
  for (const merchant of [hmacMerchant, md5Merchant]) await registerDuitku(sandbox.url, merchant)
})
beforeEach(() => {
  status = 200
  receiver.received.length = 0
})
afterAll(async () => {
  await sandbox.close()
  await receiver.close()
})

async function simulated(
  outcome: string,
  extra: Json = {},
  { merchant = hmacMerchant as DuitkuMerchant, ...over }: Json = {},
): Promise<{ created: Json; callback: Received | undefined }> {
  const body = createBody(merchant, { callbackUrl: `${receiver.url}/callback`, ...over })
  const created = (await callDuitku(sandbox.url, '/v2/inquiry', body)).body
  await control('/simulate', { payment_code: body.merchantOrderId, outcome, ...extra })
  return { created: { ...body, ...created }, callback: receiver.received[0] }
}

test.each([hmacMerchant, md5Merchant])(
  'a Duitku payment callback is sent as a form with every documented field, and is signed with the method configured for the merchant $merchant_code',
  async merchant => {
    const { created, callback } = await simulated('paid', {}, { merchant })
    expect(callback?.path).toBe('/callback')
    expect(callback?.headers['content-type']).toBe('application/x-www-form-urlencoded')
    expect(callback?.body).toEqual({
      merchantCode: merchant.merchant_code,
      amount: '40000',
      merchantOrderId: created.merchantOrderId,
      productDetail: 'Pembayaran untuk Toko Contoh',
      additionalParam: '',
      paymentCode: 'BC',
      resultCode: '00',
      merchantUserId: 'test@example.com',
      reference: created.reference,
      signature: sign(merchant, `${merchant.merchant_code}40000${created.merchantOrderId}`),
      publisherOrderId: expect.stringMatching(/^MG[0-9A-F]{15}$/),
      spUserHash: '',
      settlementDate: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
      issuerCode: '',
    })
  },
)

test("a Duitku QRIS callback contains the issuer and the customer's masked name", async () => {
  const { callback } = await simulated('paid', {}, { paymentMethod: 'SP' })
  expect(callback?.body).toMatchObject({ issuerCode: '93600918', customerName: expect.stringContaining('*') })
})

test('a Duitku failure callback has resultCode 01 and the same signature as a payment callback', async () => {
  const { created, callback } = await simulated('failed')
  expect(callback?.body).toMatchObject({
    resultCode: '01',
    signature: sign(hmacMerchant, `D000140000${created.merchantOrderId}`),
  })
})

test.each(['expired', 'cancelled', 'challenged'])(
  'a Duitku order that is %s sends no callback',
  async outcome => {
    expect((await simulated(outcome)).callback).toBeUndefined()
  },
)

describe('tests can request Duitku callbacks with changed fields or an invalid signature', () => {
  test('a forged Duitku callback has an invalid signature and does not change the order', async () => {
    const { created, callback } = await simulated('paid', { bad_signature: true })
    const expected = sign(hmacMerchant, `D000140000${created.merchantOrderId}`)
    const given = String(callback?.body.signature)
    expect([...given].filter((digit, index) => digit !== expected[index])).toHaveLength(1)
    const { body } = await callDuitku(
      sandbox.url,
      '/transactionStatus',
      statusBody(hmacMerchant, created.merchantOrderId),
    )
    expect(body.statusCode).toBe('01')
  })

  test("a Duitku callback's signature stays valid if a test changes unsigned fields", async () => {
    const { created, callback } = await simulated('paid', {
      status: '77',
      currency: 'USD',
      unknown_fields: true,
    })
    expect(callback?.body).toMatchObject({
      resultCode: '77',
      currency: 'USD',
      sandbox_new_field: '"undocumented"',
      signature: sign(hmacMerchant, `D000140000${created.merchantOrderId}`),
    })
  })

  test("if the payer pays a wrong amount, the signature of Duitku's callback covers the amount paid", async () => {
    const { created, callback } = await simulated('paid', { amount: 1_000_000 })
    expect(callback?.body).toMatchObject({
      amount: '10000',
      signature: sign(hmacMerchant, `D000110000${created.merchantOrderId}`),
    })
  })
})

test.each([500, 201, 204])(
  'if the merchant responds to a Duitku callback with HTTP %i instead of 200, the sandbox sends the same bytes five times in total',
  async answer => {
    status = answer
    await simulated('paid')
    await until(() => receiver.received.length >= 5)
    // The test waits, so that a sixth callback would arrive if the sandbox sent one.
    await sleep(100)
    expect(receiver.received).toHaveLength(5)
    expect(new Set(receiver.received.map(({ text }) => text)).size).toBe(1)
  },
)

test('a Duitku callback that gets HTTP 200 from the merchant is not sent again', async () => {
  await simulated('paid')
  await simulated('paid')
  expect(receiver.received).toHaveLength(2)
})
