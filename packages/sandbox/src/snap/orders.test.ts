import { createHash, createVerify } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Json } from '../../test/support/merchant.ts'
import { type Received, startReceiver } from '../../test/support/receiver.ts'
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
let providerKey: string
let caller: Caller
let stranger: Caller
let answering = 200

beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, scanMs: 10, retryScale: 0.0001, pendingNotifications: false })
  receiver = await startReceiver(() => ({ status: answering }))
  providerKey = (await register(sandbox.url, 'snap', midtransCredentials, `${receiver.url}/callbacks/1`)).body
    .credentials.provider_public_key
  caller = await callerOf(midtransCredentials)
  const other = { ...midtransCredentials, client_id: 'G456-SNAP', partner_id: 'PARTNER-2' }
  await register(sandbox.url, 'snap', other)
  stranger = await callerOf(other)
})
afterAll(async () => {
  await sandbox.close()
  await receiver.close()
})
beforeEach(() => {
  receiver.received.length = 0
  answering = 200
})

async function callerOf(credentials: typeof midtransCredentials): Promise<Caller> {
  const base = `${sandbox.url}/snap`
  const { body } = await askToken(base, '/v1.0/access-token/b2b', credentials.client_id)
  return {
    base,
    token: body.accessToken,
    secret: credentials.client_secret,
    partnerId: credentials.partner_id,
  }
}

const idr = (value: string) => ({ value, currency: 'IDR' })

type Made = { reference: string; externalId: string; answer: Json }

async function made(kind: 'va' | 'qr' | 'debit', over: Record<string, unknown> = {}): Promise<Made> {
  const reference = newReference()
  const externalId = kind === 'debit' ? newExternalId() : reference
  const requests = {
    va: {
      partnerServiceId: '   70012',
      customerNo: '0000000000',
      virtualAccountNo: '   700120000000000',
      virtualAccountName: 'Jokul Doe',
      virtualAccountEmail: 'jokul@email.com',
      trxId: reference,
      totalAmount: idr('10000.00'),
      additionalInfo: { merchantId: 'G059876677', bank: 'bca', flags: { shouldRandomizeVaNumber: true } },
    },
    qr: { partnerReferenceNo: reference, amount: idr('10000.00') },
    debit: {
      partnerReferenceNo: reference,
      payOptionDetails: [{ payMethod: 'GOPAY', payOption: 'GOPAY', transAmount: idr('10000.00') }],
    },
  }
  const paths = {
    va: '/v1.0/transfer-va/create-va',
    qr: '/v1.0/qr/qr-mpm-generate',
    debit: '/v1.0/debit/payment-host-to-host',
  }
  const answer = await callSnap(caller, paths[kind], { ...requests[kind], ...over }, { externalId })
  expect(answer.status).toBe(200)
  return { reference, externalId, answer: answer.body }
}

function inquire(kind: 'va' | 'qr' | 'debit', order: Made, by: Caller = caller): Promise<Json> {
  const asked = {
    va: {
      ...numbers(order),
      inquiryRequestId: order.reference,
      additionalInfo: { merchantId: 'G059876677' },
    },
    qr: { originalPartnerReferenceNo: order.reference, serviceCode: '47' },
    debit: { originalReferenceNo: order.answer.referenceNo, serviceCode: '54' },
  }
  const paths = { va: '/v1.0/transfer-va/status', qr: '/v1.0/qr/qr-mpm-query', debit: '/v1.0/debit/status' }
  return callSnap(by, paths[kind], asked[kind]).then(answer => answer.body)
}

function numbers({ answer }: Made): Json {
  const { partnerServiceId, customerNo, virtualAccountNo } = answer.virtualAccountData ?? {}
  return { partnerServiceId, customerNo, virtualAccountNo }
}

function statusOf(kind: 'va' | 'qr' | 'debit', answer: Json): string {
  return kind === 'va' ? answer.virtualAccountData.paymentFlagStatus : answer.latestTransactionStatus
}

const kinds = ['va', 'qr', 'debit'] as const
const outcomes = [
  ['paid', '00'],
  ['failed', '06'],
  ['expired', '08'],
  ['cancelled', '05'],
  ['challenged', '03'],
] as const
const cases = kinds.flatMap(kind => outcomes.map(([outcome, status]) => [kind, outcome, status] as const))

describe('SNAP status inquiries', () => {
  test.each(cases)(
    'a SNAP status inquiry for a %s order with the outcome %s returns the status %s',
    async (kind, outcome, status) => {
      const order = await made(kind)
      expect(statusOf(kind, await inquire(kind, order))).toBe('03')
      await fetch(`${sandbox.url}/simulate/silently`, {
        method: 'POST',
        body: JSON.stringify({ payment_code: order.reference, outcome }),
      })
      expect(statusOf(kind, await inquire(kind, order))).toBe(status)
    },
  )

  test('a SNAP status inquiry returns the amount paid and the time of payment', async () => {
    const [va, qr, debit] = [await made('va'), await made('qr'), await made('debit')]
    for (const { reference } of [va, qr, debit]) {
      await simulate(sandbox.url, { payment_code: reference, outcome: 'paid', amount: 999_950 })
    }
    expect((await inquire('va', va)).virtualAccountData).toMatchObject({
      totalAmount: idr('9999.50'),
      transactionDate: expect.stringMatching(/\+07:00$/),
      paymentRequestId: expect.any(String),
    })
    expect(await inquire('qr', qr)).toMatchObject({ amount: idr('9999.50'), paidTime: expect.any(String) })
    expect(await inquire('debit', debit)).toMatchObject({
      transAmount: idr('9999.50'),
      paidTime: expect.any(String),
    })
  })

  test('a SNAP status inquiry finds a QR code or wallet payment by the X-EXTERNAL-ID of its create request', async () => {
    const [qr, debit] = [await made('qr'), await made('debit')]
    const byExternalId = async (path: string, order: Made, serviceCode: string) =>
      (await callSnap(caller, path, { originalExternalId: order.externalId, serviceCode })).body
    expect(await byExternalId('/v1.0/qr/qr-mpm-query', qr, '47')).toMatchObject({
      originalReferenceNo: qr.answer.referenceNo,
      latestTransactionStatus: '03',
    })
    expect(await byExternalId('/v1.0/debit/status', debit, '54')).toMatchObject({
      originalReferenceNo: debit.answer.referenceNo,
      latestTransactionStatus: '03',
    })
  })

  test("a SNAP inquiry for a wallet payment is rejected without the provider's reference", async () => {
    const { reference } = await made('debit')
    const asked = { originalPartnerReferenceNo: reference, serviceCode: '54' }
    expect((await callSnap(caller, '/v1.0/debit/status', asked)).body.responseCode).toBe('4005502')
  })

  test("a SNAP status inquiry does not find another merchant's order", async () => {
    const [va, qr, debit] = [await made('va'), await made('qr'), await made('debit')]
    expect((await inquire('va', va, stranger)).responseCode).toBe('4042601')
    expect(await inquire('qr', qr, stranger)).toMatchObject({ latestTransactionStatus: '07' })
    expect(await inquire('debit', debit, stranger)).toMatchObject({ latestTransactionStatus: '07' })
  })

  test('a SNAP inquiry for a QR code payment does not find a wallet payment with the same reference', async () => {
    const debit = await made('debit')
    expect(await inquire('qr', debit)).toMatchObject({
      responseCode: '2005100',
      latestTransactionStatus: '07',
    })
  })
})

describe('SNAP cancellations', () => {
  function cancel(kind: 'va' | 'qr' | 'debit', order: Made, by = caller, externalId = newExternalId()) {
    const asked = {
      va: { trxId: order.reference, additionalInfo: { merchantId: 'G059876677' } },
      qr: { originalReferenceNo: order.answer.referenceNo, merchantId: 'G059876677', reason: 'changed' },
      debit: { originalExternalId: order.externalId },
    }
    const paths = {
      va: '/v1.0/transfer-va/delete-va',
      qr: '/v1.0/qr/qr-mpm-cancel',
      debit: '/v1.0/debit/cancel',
    }
    const body = { ...(kind === 'va' && numbers(order)), ...asked[kind] }
    return callSnap(by, paths[kind], body, { externalId })
  }
  const codes = { va: '31', qr: '77', debit: '57' }

  test.each(kinds)(
    'the SNAP cancellation of a pending %s order notifies the merchant, and a second cancellation is rejected',
    async kind => {
      const order = await made(kind)
      expect((await cancel(kind, order)).body.responseCode).toBe(`200${codes[kind]}00`)
      await receiver.waitFor(1)
      expect(statusOf(kind, await inquire(kind, order))).toBe('05')
      expect((await cancel(kind, order)).body.responseCode).toBe(`403${codes[kind]}15`)
    },
  )

  test.each(kinds)('a SNAP cancellation of a paid %s order is rejected', async kind => {
    const order = await made(kind)
    await simulate(sandbox.url, { payment_code: order.reference, outcome: 'paid' })
    expect((await cancel(kind, order)).body.responseCode).toBe(`403${codes[kind]}15`)
    expect(statusOf(kind, await inquire(kind, order))).toBe('00')
  })

  test.each(kinds)(
    'a SNAP cancellation of another merchant’s %s order is rejected and changes nothing',
    async kind => {
      const order = await made(kind)
      expect((await cancel(kind, order, stranger)).body.responseCode).toBe(`404${codes[kind]}01`)
      expect(statusOf(kind, await inquire(kind, order))).toBe('03')
    },
  )

  test('a SNAP cancellation with the reference and account number of two different orders finds neither', async () => {
    const [one, other] = [await made('va'), await made('va')]
    expect((await cancel('va', { ...one, answer: other.answer })).body.responseCode).toBe('4043101')
  })

  test('a SNAP cancellation repeated with the same X-EXTERNAL-ID gets the same response as the first cancellation', async () => {
    const [order, externalId] = [await made('qr'), newExternalId()]
    const first = await cancel('qr', order, caller, externalId)
    expect((await cancel('qr', order, caller, externalId)).text).toBe(first.text)
  })
})

describe('SNAP notifications', () => {
  const notifyPaths = {
    va: '/v1.0/transfer-va/payment',
    qr: '/v1.0/qr/qr-mpm-notify',
    debit: '/v1.0/debit/notify',
  }

  function holds({ headers, text }: Received, path: string): boolean {
    const hashed = createHash('sha256')
      .update(JSON.stringify(JSON.parse(text)))
      .digest('hex')
    return createVerify('sha256')
      .update(`POST:${path}:${hashed}:${headers['x-timestamp']}`)
      .verify(providerKey, String(headers['x-signature']), 'base64')
  }

  test.each(kinds)(
    'a SNAP notification of a paid %s order is sent to the merchant’s address plus SNAP’s own path, but only SNAP’s path is signed',
    async kind => {
      const order = await made(kind)
      const { callbacks } = await simulate(sandbox.url, { payment_code: order.reference, outcome: 'paid' })
      expect(callbacks).toMatchObject([{ status: 200 }])
      const [told] = receiver.received as [Received]
      expect(told.path).toBe(`/callbacks/1${notifyPaths[kind]}`)
      expect(holds(told, notifyPaths[kind])).toBe(true)
      expect(holds(told, told.path)).toBe(false)
      expect(told.headers).toMatchObject({
        'x-partner-id': 'PARTNER-1',
        'x-external-id': expect.stringMatching(/^\d{32}$/),
        'x-timestamp': expect.stringMatching(/\+07:00$/),
      })
    },
  )

  test("a SNAP notification has the fields in Midtrans' published example", async () => {
    const [va, qr, debit] = [await made('va'), await made('qr'), await made('debit')]
    for (const { reference } of [va, qr, debit]) {
      await simulate(sandbox.url, { payment_code: reference, outcome: 'paid' })
    }
    const [vaBody, qrBody, debitBody] = receiver.received.map(({ body }) => body)
    expect(vaBody).toMatchObject({
      ...numbers(va),
      virtualAccountName: 'Jokul Doe',
      virtualAccountEmail: 'jokul@email.com',
      trxId: va.reference,
      paymentRequestId: expect.any(String),
      paidAmount: idr('10000.00'),
      additionalInfo: { bank: 'BCA', paymentFlagStatus: '00', merchantId: 'G059876677' },
    })
    expect(qrBody).toMatchObject({
      originalReferenceNo: qr.answer.referenceNo,
      originalPartnerReferenceNo: qr.reference,
      latestTransactionStatus: '00',
      amount: idr('10000.00'),
    })
    expect(debitBody).toMatchObject({
      originalReferenceNo: debit.answer.referenceNo,
      originalPartnerReferenceNo: debit.reference,
      originalExternalId: debit.externalId,
      latestTransactionStatus: '00',
      amount: idr('10000.00'),
      additionalInfo: { refundHistory: [] },
    })
  })

  test.each(cases)(
    'a SNAP notification of a %s order with the outcome %s contains the status %s',
    async (kind, outcome, status) => {
      const { reference } = await made(kind)
      await simulate(sandbox.url, { payment_code: reference, outcome })
      const { body } = receiver.received[0] as Received
      expect(kind === 'va' ? body.additionalInfo.paymentFlagStatus : body.latestTransactionStatus).toBe(
        status,
      )
      // Only a paid virtual account has a paidAmount.
      if (kind === 'va') expect('paidAmount' in body).toBe(outcome === 'paid')
    },
  )

  test.each(kinds)(
    'a SNAP notification of a %s order that a test changes still has a valid signature, unless the test requests an invalid one',
    async kind => {
      const { reference } = await made(kind)
      const tell = (over: Record<string, unknown>) =>
        simulate(sandbox.url, { payment_code: reference, outcome: 'paid', ...over })
      await tell({ currency: 'USD' })
      await tell({ status: '99' })
      await tell({ unknown_fields: true })
      await tell({ bad_signature: true })
      const [currency, status, unknown, forged] = receiver.received as [
        Received,
        Received,
        Received,
        Received,
      ]
      for (const told of [currency, status, unknown]) expect(holds(told, notifyPaths[kind])).toBe(true)
      expect(holds(forged, notifyPaths[kind])).toBe(false)
      expect(JSON.stringify(currency.body)).toContain('"currency":"USD"')
      expect(JSON.stringify(status.body)).toContain('Status":"99"')
      expect(unknown.body).toHaveProperty('sandbox_new_object')
    },
  )

  test('a SNAP notification is retried five times if the merchant does not respond with HTTP 200', async () => {
    answering = 204
    const { reference } = await made('qr')
    await simulate(sandbox.url, { payment_code: reference, outcome: 'paid' })
    await receiver.waitFor(6)
    expect(new Set(receiver.received.map(({ text }) => text)).size).toBe(1)
    expect(new Set(receiver.received.map(({ headers }) => headers['x-external-id'])).size).toBe(6)
    expect(receiver.received.every(told => holds(told, notifyPaths.qr))).toBe(true)
  })
})

test('the payment page shows a SNAP virtual account number without its padding spaces', async () => {
  const { answer } = await made('va')
  const number = answer.virtualAccountData.virtualAccountNo.trim()
  const { orders } = await getJson(`${sandbox.url}/orders?payment_code=${answer.virtualAccountData.trxId}`)
  const page = await (await fetch(`${sandbox.url}/orders/${orders[0].id}`)).text()
  expect(page).toContain(number)
  expect(page).toContain('Virtual account (BCA)')
})

test('a SNAP service that the sandbox does not simulate returns 404', async () => {
  expect((await callSnap(caller, '/v1.0/auth/refund', {})).status).toBe(404)
})
