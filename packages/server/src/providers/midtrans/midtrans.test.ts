import { readdirSync, readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { MethodData, MethodDetail } from '../../payments/method.ts'
import { type Charge, type ProviderAccount, ProviderError, type ProviderErrorKind } from '../provider.ts'
import { authorization, errorKind } from './client.ts'
import type { Credentials } from './credentials.ts'
import { type ChargeRequest, transaction } from './messages.ts'
import { midtrans } from './midtrans.ts'
import { signatureOf } from './signature.ts'
import { instructionsOf, toReport } from './translate.ts'

type Fixture = {
  name: string
  kind: 'notification' | 'create_response' | 'action_response' | 'error_response' | 'signing'
  method?: string
  http_status: number
  http_request: { method: string; path: string; body: ChargeRequest }
  headers: Record<string, string>
  raw_body: string
  response: Record<string, unknown>
  credentials: Credentials
  inputs: { server_key: string; order_id: string; status_code: string; gross_amount: string }
  expected: string
  expect: Record<string, string | number | boolean | null>
}
const directory = join(import.meta.dirname, 'fixtures')
const fixtures = readdirSync(directory).map(name => ({
  name,
  ...(JSON.parse(readFileSync(join(directory, name), 'utf8')) as Omit<Fixture, 'name'>),
}))
const ofKind = (kind: Fixture['kind']): Fixture[] => fixtures.filter(fixture => fixture.kind === kind)

type Request = { method: string; url: string; headers: IncomingMessage['headers']; body: string }
let server: Server
let received: Request[] = []
let answer: (response: ServerResponse, request: Request) => void
beforeAll(async () => {
  server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const { method = '', url = '', headers } = request
    received.push({ method, url, headers, body })
    answer(response, received.at(-1) as Request)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
})
afterAll(() => server.close())
beforeEach(() => {
  received = []
})
const reply = (status: number, body: unknown) => {
  answer = response => response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body))
}

const account = (credentials = { server_key: 'SB-Mid-server-test' }): ProviderAccount<Credentials> => ({
  id: '01990000-0000-7000-8000-000000000001',
  mode: 'test',
  credentials,
  baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
})
const order = (overrides: Partial<Charge> = {}): Charge => ({
  reference: 'GP261120-7Q4M2ZK8XW',
  amount: 10_000_000n,
  channel: 'bca',
  methodDetail: { type: 'virtual_account', bank: 'BCA' },
  customer: { name: 'Budi Santoso', email: 'budi@example.com', phone: '081234567890' },
  items: [],
  startedAt: new Date('2026-11-20T03:04:05.678Z'),
  expiryMinutes: 60,
  callbackUrl: 'https://pay.example.com/v1/callbacks/midtrans/1',
  ...overrides,
})
const inquiry = { reference: 'GP261120-7Q4M2ZK8XW', providerPaymentId: null, methodDetail: null }
/** A pending answer about that order. */
const known = {
  status_code: '201',
  transaction_id: 't-1',
  order_id: inquiry.reference,
  gross_amount: '100000.00',
  payment_type: 'bank_transfer',
  transaction_status: 'pending',
}
const payable = { ...known, va_numbers: [{ bank: 'bca', va_number: '1' }] }
const kindOf = (asked: Promise<unknown>): Promise<ProviderErrorKind | 'no error'> =>
  asked.then(
    () => 'no error',
    error => {
      if (error instanceof ProviderError) return error.kind
      throw error
    },
  )

describe('every published message is read as it is meant:', () => {
  test('none is left over', () => {
    expect(fixtures.length).toBeGreaterThan(0)
    for (const { kind } of fixtures)
      expect(['notification', 'create_response', 'action_response', 'error_response', 'signing']).toContain(
        kind,
      )
  })

  test.each(ofKind('notification'))(
    'notification $name',
    ({ raw_body, headers, credentials, expect: want }) => {
      const reading = midtrans.readCallback(account(credentials), { headers, body: Buffer.from(raw_body) })
      expect(reading.verified).toBe(want.signature_valid)
      if (!reading.verified) return
      expect(reading.reports).toHaveLength(1)
      const { reference, providerPaymentId, fact } = reading.reports[0] as (typeof reading.reports)[0]
      expect([reference, providerPaymentId]).toEqual([want.order_id, want.provider_payment_id])
      expect(['nothing', 'unproven'].includes(fact.type) ? null : fact.type).toBe(want.status)
      expect(fact.type).not.toBe(want.must_not_be)
      if (fact.type === 'paid') expect(fact.amountPaid).toBe(BigInt(want.amount_paid_cents as number))
    },
  )

  const details: Record<string, (body: ChargeRequest) => MethodDetail> = {
    virtual_account: body => ({ type: 'virtual_account', bank: body.bank_transfer?.bank ?? 'mandiri' }),
    qris: () => ({ type: 'qris' }),
    e_wallet: body => ({ type: 'e_wallet', wallet_type: body.payment_type }),
    over_the_counter: body => ({ type: 'over_the_counter', store: body.cstore?.store ?? '' }),
  }
  test.each(ofKind('create_response').filter(each => each.method !== 'cardless_credit'))(
    'answer to a charge $name',
    async ({ http_status, http_request, response, method, expect: want }) => {
      reply(http_status, response)
      const methodDetail = (details[method as string] as (typeof details)[string])(http_request.body)
      const taken = await midtrans.charge(account(), order({ methodDetail }))
      expect(taken.providerPaymentId).toBe(want.provider_payment_id)
      const told: Record<string, unknown> = taken.methodData
      for (const field of ['bank', 'va_number', 'qr_image_url', 'deeplink', 'payment_code'] as const) {
        if (field in want && field in told) expect(told[field]).toBe(want[field])
      }
      if (want.biller_code) expect(told.va_number).toBe(`${want.biller_code}${want.bill_key}`)
      if (want.store_name) expect(String(told.store_name).toLowerCase()).toBe(want.store_name)
    },
  )

  test.each(ofKind('create_response').filter(each => each.method === 'cardless_credit'))(
    'answer to a charge $name, which we list and do not create yet',
    ({ response, expect: want }) => {
      const read = transaction.parse(response)
      expect(toReport(read, 'answer')).toMatchObject({
        reference: want.order_id,
        providerPaymentId: want.provider_payment_id,
        fact: { type: want.status },
      })
      expect(instructionsOf(read).redirectUrl).toBe(want.redirect_url)
    },
  )

  test.each(ofKind('action_response'))(
    'closed order $name, also where its code reads like an error',
    async fixture => {
      reply(fixture.http_status, fixture.response)
      const reference = fixture.response.order_id as string
      expect(await midtrans.inquire(account(), { ...inquiry, reference })).toMatchObject({
        reference,
        fact: { type: fixture.expect.status },
      })
    },
  )

  const kinds: Record<string, ProviderErrorKind> = {
    validation: 'invalid',
    authentication: 'unavailable',
    channel_not_activated: 'declined',
    // The order exists, so an earlier request may have made it: only an inquiry can tell.
    duplicate_order: 'unknown',
    provider_unavailable: 'unavailable',
  }
  test.each(ofKind('error_response'))('error $name', async ({ http_status, response, expect: want }) => {
    reply(http_status, response)
    expect(await kindOf(midtrans.charge(account(), order()))).toBe(kinds[want.error_class as string])
  })

  test.each(ofKind('signing'))('signing $name', ({ inputs, expected }) => {
    const { server_key } = inputs
    expect('order_id' in inputs ? signatureOf(inputs, server_key) : authorization({ server_key })).toBe(
      expected,
    )
  })
})

describe('a charge', () => {
  test('is one POST with the key, the reference and where to call back', async () => {
    reply(200, payable)
    await midtrans.charge(account(), order())
    expect(received).toHaveLength(1)
    expect(received[0]).toMatchObject({
      method: 'POST',
      url: '/v2/charge',
      headers: {
        authorization: 'Basic U0ItTWlkLXNlcnZlci10ZXN0Og==',
        'content-type': 'application/json',
        accept: 'application/json',
        'idempotency-key': 'GP261120-7Q4M2ZK8XW',
        'x-override-notification': 'https://pay.example.com/v1/callbacks/midtrans/1',
      },
    })
    expect(JSON.parse((received[0] as Request).body)).toEqual({
      payment_type: 'bank_transfer',
      bank_transfer: { bank: 'bca' },
      transaction_details: { order_id: 'GP261120-7Q4M2ZK8XW', gross_amount: 100_000 },
      customer_details: { first_name: 'Budi Santoso', email: 'budi@example.com', phone: '081234567890' },
      custom_expiry: { order_time: '2026-11-20 10:04:05 +0700', expiry_duration: 60, unit: 'minute' },
    })
  })

  test('taken without a way to pay is of unknown outcome', async () => {
    reply(200, known)
    expect(await kindOf(midtrans.charge(account(), order()))).toBe('unknown')
  })

  test('passes on why it was refused, in one clean line', async () => {
    reply(200, { status_code: '400', validation_messages: ['amount\nis\0bad', 'x'.repeat(400)] })
    await expect(midtrans.charge(account(), order())).rejects.toMatchObject({
      kind: 'invalid',
      message: expect.stringMatching(/^amount is bad; x{1,300}$/),
    })
  })
})

describe('an answer that is an error', () => {
  const gateway = '<html><body>Bad gateway</body></html>'
  test.each<[string, number, unknown, ProviderErrorKind]>([
    ['a page of a proxy', 502, gateway, 'unknown'],
    ['a page that is no JSON, though all is well', 200, gateway, 'unknown'],
    ['a page of a closed door', 503, gateway, 'unavailable'],
    ['no such page', 404, gateway, 'unknown'],
    [
      'a wrong key',
      401,
      { status_code: '401', status_message: 'Unknown Merchant server_key' },
      'unavailable',
    ],
    ['a wrong key within HTTP 200', 200, { status_code: '401' }, 'unavailable'],
    ['a channel that is not activated', 402, { status_code: '402' }, 'declined'],
    ['an order that exists', 406, { status_code: '406' }, 'unknown'],
    ['too many requests', 429, { status_code: '429' }, 'unavailable'],
    ['a fault of theirs', 500, { status_code: '500' }, 'unknown'],
    ['a maintenance', 503, { status_code: '503' }, 'unavailable'],
    ['a code nobody knows', 200, { status_code: '299' }, 'unknown'],
    ['success without an order', 200, { status_code: '201', status_message: 'Success' }, 'unknown'],
    ['all that is wanted and a mebibyte more', 200, { ...payable, note: 'x'.repeat(1024 * 1024) }, 'unknown'],
  ])('of %s (HTTP %i)', async (_, status, body, kind) => {
    reply(status, body)
    expect(await kindOf(midtrans.charge(account(), order()))).toBe(kind)
    expect(await kindOf(midtrans.inquire(account(), inquiry))).toBe(kind)
  })

  test('that breaks off in the middle is of unknown outcome', async () => {
    answer = response => {
      response.writeHead(200, { 'content-length': '1000' }).write('{"status_code":"201",')
      setImmediate(() => response.destroy())
    }
    expect(await kindOf(midtrans.charge(account(), order()))).toBe('unknown')
  })

  test('that sends us elsewhere is not followed', async () => {
    answer = response => response.writeHead(307, { location: '/elsewhere' }).end()
    expect(await kindOf(midtrans.charge(account(), order()))).toBe('unknown')
    expect(received).toHaveLength(1)
  })

  test('says of an order that it was refused only where it certainly was', () => {
    const refusing = Array.from({ length: 500 }, (_, i) => String(i + 100)).filter(code =>
      ['declined', 'invalid'].includes(errorKind(code)),
    )
    expect(refusing).toEqual(['400', '402', '403', '410', '411', '413'])
  })
})

describe('an inquiry', () => {
  test('asks for the reference, whatever characters it has', async () => {
    reply(200, { ...known, order_id: 'a/b?c' })
    await midtrans.inquire(account(), { ...inquiry, reference: 'a/b?c' })
    expect(received[0]).toMatchObject({ method: 'GET', url: '/v2/a%2Fb%3Fc/status' })
  })

  test('that is answered about another order tells nothing', async () => {
    reply(200, {
      ...known,
      status_code: '200',
      transaction_status: 'settlement',
      order_id: 'GP261120-0000000000',
    })
    expect(await kindOf(midtrans.inquire(account(), inquiry))).toBe('unknown')
  })

  test.each([404, 200])(
    'of an order that Midtrans says it does not have (HTTP %i) is absent',
    async status => {
      reply(status, { status_code: '404', status_message: "Transaction doesn't exist." })
      expect(await midtrans.inquire(account(), inquiry)).toBe('absent')
    },
  )

  test("answered by somebody's 404 on the way is no absence", async () => {
    reply(404, { message: 'no Route matched with those values' })
    expect(await kindOf(midtrans.inquire(account(), inquiry))).toBe('unknown')
  })

  test('reads the status in whatever casing it is written', async () => {
    reply(200, { ...known, transaction_status: 'PENDING' })
    expect(await midtrans.inquire(account(), inquiry)).toMatchObject({ fact: { type: 'pending' } })
  })

  const transactionUrl = (path: string) => `${account().baseUrl}/v2/${path}/t-1/qr-code`
  test.each<[string, object, MethodDetail, () => MethodData | undefined]>([
    [
      'a virtual account',
      { va_numbers: [{ bank: 'bca', va_number: '1' }] },
      { type: 'virtual_account', bank: 'BCA' },
      () => ({ type: 'virtual_account', bank: 'BCA', va_number: '1' }),
    ],
    [
      'QRIS',
      { payment_type: 'qris' },
      { type: 'qris' },
      () => ({ type: 'qris', qr_string: '', qr_image_url: transactionUrl('qris') }),
    ],
    [
      'GoPay',
      { payment_type: 'gopay' },
      { type: 'e_wallet', wallet_type: 'GOPAY' },
      () => ({ type: 'e_wallet', wallet_type: 'GOPAY', redirect_url: transactionUrl('gopay'), deeplink: '' }),
    ],
    [
      'ShopeePay, which cannot be had again',
      { payment_type: 'shopeepay' },
      { type: 'e_wallet', wallet_type: 'SHOPEEPAY' },
      () => undefined,
    ],
  ])('recovers how to pay by %s', async (_, fields, methodDetail, expected) => {
    reply(200, { ...known, ...fields })
    const report = await midtrans.inquire(account(), { ...inquiry, methodDetail })
    const methodData = expected()
    expect(report).toMatchObject({ fact: { type: 'pending' } })
    expect((report as { fact: { methodData?: MethodData } }).fact.methodData).toEqual(methodData)
  })

  test.each([
    [
      'settlement',
      { status_code: '200', settlement_time: '2026-11-20 10:05:00' },
      { type: 'paid', amountPaid: 10_000_000n, paidAt: new Date('2026-11-20T03:05:00Z') },
    ],
    [
      'settlement without a time',
      { status_code: '200', transaction_status: 'settlement' },
      { type: 'paid', amountPaid: 10_000_000n },
    ],
    [
      'settlement that fraud detection denied',
      { status_code: '200', transaction_status: 'settlement', fraud_status: 'deny' },
      { type: 'nothing' },
    ],
    [
      'settlement in another currency',
      { status_code: '200', transaction_status: 'settlement', currency: 'USD' },
      { type: 'nothing' },
    ],
    [
      'settlement of nothing',
      { status_code: '200', transaction_status: 'settlement', gross_amount: '0.00' },
      { type: 'nothing' },
    ],
    [
      'settlement of no number',
      { status_code: '200', transaction_status: 'settlement', gross_amount: '1e5' },
      { type: 'nothing' },
    ],
    [
      'deny, though fraud detection is in doubt',
      { transaction_status: 'deny', fraud_status: 'challenge' },
      { type: 'failed' },
    ],
    ['refund', { status_code: '200', transaction_status: 'refund' }, { type: 'nothing' }],
    ['a word nobody knows', { transaction_status: 'melted' }, { type: 'nothing' }],
  ])('reads %s', async (status, fields, fact) => {
    reply(200, { ...known, transaction_status: status, ...fields })
    expect(await midtrans.inquire(account(), inquiry)).toMatchObject({ fact })
  })
})
