import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Json } from '../../test/support/merchant.ts'
import { startReceiver, until } from '../../test/support/receiver.ts'
import {
  askToken,
  type Caller,
  callSnap,
  getJson,
  midtransCredentials,
  newExternalId,
  newReference,
  register,
  simulate,
} from '../../test/support/snap-merchant.ts'
import { type RunningSandbox, startSandbox } from '../server.ts'

let sandbox: RunningSandbox
let receiver: Awaited<ReturnType<typeof startReceiver>>
let caller: Caller

beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, pendingNotifications: false })
  receiver = await startReceiver()
  await register(sandbox.url, 'snap', midtransCredentials, receiver.url)
  const base = `${sandbox.url}/snap`
  const { body } = await askToken(base, '/v1.0/access-token/b2b', midtransCredentials.client_id)
  const { client_secret: secret, partner_id: partnerId } = midtransCredentials
  caller = { base, token: body.accessToken, secret, partnerId }
})
afterAll(async () => {
  await sandbox.close()
  await receiver.close()
})
beforeEach(() => {
  receiver.received.length = 0
})

const idr = (value: string) => ({ value, currency: 'IDR' })

function vector(name: string): Json {
  return JSON.parse(
    readFileSync(
      new URL(`../../../server/src/providers/snap/fixtures/${name}.json`, import.meta.url),
      'utf8',
    ),
  )
}

type Kind = 'debit' | 'qr'
const paths = {
  debit: ['/v1.0/debit/payment-host-to-host', '/v1.0/debit/refund', '/v1.0/debit/status'],
  qr: ['/v1.0/qr/qr-mpm-generate', '/v1.0/qr/qr-mpm-refund', '/v1.0/qr/qr-mpm-query'],
} as const

/** Creates a paid order for 10,000 rupiah. */
async function paid(kind: Kind, channel = kind === 'debit' ? 'GOPAY' : 'gopay', customerName = 'Budi') {
  const reference = newReference()
  const body = {
    debit: {
      partnerReferenceNo: reference,
      payOptionDetails: [{ payMethod: channel, payOption: channel, transAmount: idr('10000.00') }],
      additionalInfo: { customerName },
    },
    qr: {
      partnerReferenceNo: reference,
      amount: idr('10000.00'),
      additionalInfo: { acquirer: channel, customerName },
    },
  }[kind]
  const { body: created } = await callSnap(caller, paths[kind][0], body)
  await simulate(sandbox.url, { payment_code: reference, outcome: 'paid' })
  receiver.received.length = 0
  return { kind, reference, referenceNo: created.referenceNo as string }
}
type Paid = Awaited<ReturnType<typeof paid>>

async function refund(order: Paid, over: Json = {}, key = newReference(), externalId = key) {
  const body = {
    originalPartnerReferenceNo: order.reference,
    originalReferenceNo: order.referenceNo,
    partnerRefundNo: key,
    reason: 'Customer complain',
    ...(order.kind === 'qr' && { merchantId: midtransCredentials.merchant_id }),
    ...over,
  }
  return await callSnap(caller, paths[order.kind][1], body, { externalId })
}

async function inquire({ kind, referenceNo }: Paid): Promise<Json> {
  const asked = { originalReferenceNo: referenceNo, serviceCode: kind === 'qr' ? '47' : '54' }
  return (await callSnap(caller, paths[kind][2], asked)).body
}

const record = async ({ reference }: Paid) =>
  (await getJson(`${sandbox.url}/orders?payment_code=${reference}`)).orders[0]

describe.each(['debit', 'qr'] as const)('the sandbox supports the SNAP refund of a %s payment', kind => {
  const service = kind === 'qr' ? '78' : '58'
  const idField = kind === 'qr' ? 'referenceNo' : 'refundNo'

  test('a SNAP refund triggers a notification and appears in status inquiries', async () => {
    const order = await paid(kind)
    const first = await refund(order, { refundAmount: idr('4000.00') }, 'KEY-1')
    expect([first.status, first.body]).toEqual([
      200,
      expect.objectContaining({
        responseCode: `200${service}00`,
        originalPartnerReferenceNo: order.reference,
        partnerRefundNo: 'KEY-1',
        refundAmount: idr('4000.00'),
        [idField]: expect.any(String),
      }),
    ])
    const [notified] = (await receiver.waitFor(1)).map(({ body }) => body)
    expect(notified).toMatchObject({
      latestTransactionStatus: '00',
      additionalInfo: {
        totalRefundAmount: idr('4000.00'),
        refundHistory: [{ refundNo: first.body[idField], partnerRefundNo: 'KEY-1', refundStatus: '00' }],
      },
    })
    await refund(order, {}, 'KEY-2')
    const inquired = await inquire(order)
    expect(inquired.latestTransactionStatus).toBe('04')
    const history = kind === 'qr' ? inquired.additionalInfo.refundHistory : inquired.refundHistory
    expect(history).toEqual([
      expect.objectContaining({ partnerReferenceNo: 'KEY-1', refundAmount: idr('4000.00') }),
      expect.objectContaining({ partnerReferenceNo: 'KEY-2', refundAmount: idr('6000.00') }),
    ])
    expect(await record(order)).toMatchObject({ held_cents: 0 })
  })

  test('a SNAP refund request repeated with the same X-EXTERNAL-ID does not refund a second time', async () => {
    const order = await paid(kind)
    const key = newReference()
    const first = await refund(order, { refundAmount: idr('4000.00') }, key)
    expect((await refund(order, { refundAmount: idr('4000.00') }, key)).text).toBe(first.text)
    expect((await record(order)).returns).toHaveLength(1)
  })

  test.each([
    ['more than the remaining amount', { refundAmount: idr('10001.00') }, `404${service}13`],
    ['an amount without decimals', { refundAmount: idr('1000') }, `400${service}01`],
    ['an unknown order', { originalReferenceNo: 'unknown' }, `404${service}01`],
    [
      'another order’s originalPartnerReferenceNo',
      { originalPartnerReferenceNo: 'ANOTHER' },
      `404${service}01`,
    ],
    ['no partnerRefundNo', { partnerRefundNo: undefined }, `400${service}02`],
    ['a partnerRefundNo with a space', { partnerRefundNo: 'R 1' }, `400${service}01`],
    ['no identifier of the order', { originalReferenceNo: undefined }, `400${service}02`],
  ])('a SNAP refund with %s is rejected and refunds nothing', async (_name, over, code) => {
    const order = await paid(kind)
    expect((await refund(order, over)).body.responseCode).toBe(code)
    expect(await record(order)).toMatchObject({ held_cents: 1_000_000, returns: [] })
  })

  test('a SNAP refund of a fully refunded payment is rejected with the invalid status error', async () => {
    const order = await paid(kind)
    await refund(order)
    expect((await refund(order)).body.responseCode).toBe(`404${service}00`)
  })

  test.each([
    ['SANDBOX REFUND REJECT', `403${service}15`],
    ['SANDBOX REFUND OUTAGE', `503${service}00`],
  ])(
    'a SNAP refund request for the customer %s gets the response code %s and refunds nothing',
    async (name, code) => {
      const order = await paid(kind, undefined, name)
      expect((await refund(order)).body.responseCode).toBe(code)
      expect(await record(order)).toMatchObject({ returns: [] })
    },
  )

  test('a SNAP refund for the customer SANDBOX REFUND FAIL is accepted but fails later', async () => {
    const order = await paid(kind, undefined, 'SANDBOX REFUND FAIL')
    const { status, body } = await refund(order)
    expect([status, body.responseCode]).toEqual([202, `202${service}00`])
    const [notified] = await receiver.waitFor(1)
    expect(notified?.body).toMatchObject({
      latestTransactionStatus: '00',
      additionalInfo: { refundHistory: [{ refundStatus: '06' }] },
    })
    expect(await record(order)).toMatchObject({ held_cents: 1_000_000 })
  })
})

test('for the customer SANDBOX REFUND TIMEOUT, only a repeated SNAP refund request gets a response', async () => {
  const order = await paid('debit', 'GOPAY', 'SANDBOX REFUND TIMEOUT')
  const unanswered = refund(order, {}, 'KEY-T').catch(() => 'no answer')
  await until(async () => (await record(order)).held_cents === 0)
  const { body } = await refund(order, {}, 'KEY-T')
  expect([body.responseCode, body.partnerRefundNo]).toEqual(['2005800', 'KEY-T'])
  expect((await record(order)).returns).toHaveLength(1)
  void unanswered
})

test('a second SNAP wallet refund with the same partnerRefundNo is rejected, even if its X-EXTERNAL-ID is new', async () => {
  const order = await paid('debit')
  await refund(order, { refundAmount: idr('1000.00') }, 'KEY-1', newExternalId())
  const again = await refund(order, { refundAmount: idr('1000.00') }, 'KEY-1', newExternalId())
  expect([again.status, again.body.responseCode]).toEqual([409, '4095801'])
})

test('a SNAP refund request for a QR payment is rejected if its X-EXTERNAL-ID differs from its partnerRefundNo', async () => {
  const order = await paid('qr')
  expect((await refund(order, {}, 'KEY-1', newExternalId())).body.responseCode).toBe('4007801')
})

test.each([
  ['debit', 'SHOPEEPAY', '4035815'],
  ['qr', 'airpay shopee', '4037815'],
] as const)('a SNAP %s payment by %s allows only a full refund', async (kind, channel, code) => {
  const order = await paid(kind, channel)
  expect((await refund(order, { refundAmount: idr('1000.00') })).body.responseCode).toBe(code)
  expect((await refund(order)).status).toBe(200)
})

test('a SNAP refund has the response and notification fields documented by Midtrans', async () => {
  const order = await paid('qr')
  const { body } = await refund(order)
  // The test does not compare additionalInfo, because it is null in the published response.
  const { additionalInfo: _, ...published } = vector('refund-qr-mpm-success-official').response
  expect(Object.keys(body)).toEqual(expect.arrayContaining(Object.keys(published)))
  const wallet = await paid('debit')
  await simulate(sandbox.url, { payment_code: wallet.reference, outcome: 'refunded' })
  const notified = JSON.parse(vector('refund-notif-debit-04-ours').raw_body)
  const [sent] = receiver.received.filter(({ path }) => path === '/v1.0/debit/notify')
  expect(Object.keys(sent?.body)).toEqual(expect.arrayContaining(Object.keys(notified)))
  expect(sent?.body).toMatchObject({ latestTransactionStatus: '04' })
  expect(Object.keys(sent?.body.additionalInfo.refundHistory[0]).sort()).toEqual(
    Object.keys(notified.additionalInfo.refundHistory[0]).sort(),
  )
})

test('the sandbox records a SNAP chargeback, but sends the merchant no notification about it', async () => {
  const order = await paid('debit')
  const { callbacks } = await simulate(sandbox.url, { payment_code: order.reference, outcome: 'chargeback' })
  expect(callbacks).toEqual([])
  expect(await record(order)).toMatchObject({ held_cents: 0, returns: [{ kind: 'chargeback' }] })
})
