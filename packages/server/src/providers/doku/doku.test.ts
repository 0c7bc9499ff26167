import { generateKeyPairSync } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Received, receive } from '../../../test/support/receive-callback.ts'
import type { MethodDetail } from '../../payments/method.ts'
import type { CallbackRequest, Charge, ProviderAccount } from '../provider.ts'
import { contractData } from './contract-data.ts'
import type { Credentials } from './credentials.ts'
import { doku } from './doku.ts'
import { componentOf, signatureOf } from './signature.ts'
import { toAccepted } from './translate.ts'

type Fixture = {
  name: string
  kind: 'notification' | 'create_response' | 'signing'
  method: string
  request: { path: string }
  http_request: { path: string; body: { order: { invoice_number: string } } }
  headers: Record<string, string>
  raw_body: string
  response: Record<string, unknown>
  credentials: { client_id: string; secret_key: string }
  inputs: { component: string; secret_key: string }
  expected: string
  expect: Record<string, string | number | boolean | null>
}
const directory = join(import.meta.dirname, 'fixtures')
const fixtures = readdirSync(directory).map(name => ({
  name,
  ...(JSON.parse(readFileSync(join(directory, name), 'utf8')) as Omit<Fixture, 'name'>),
}))
const ofKind = (kind: Fixture['kind']) => fixtures.filter(fixture => fixture.kind === kind)
const lowerCase = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

const dokus = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})
const own = { ...contractData.credentials(), provider_public_key: dokus.publicKey } as Credentials
const id = '01990000-0000-7000-8000-000000000001'
const address = `/v1/callbacks/doku/${id}`
const account = (more: Partial<Credentials> = {}): ProviderAccount<Credentials> => ({
  id,
  mode: 'test',
  credentials: { ...own, ...more },
  baseUrl: null,
})
const receivedAt = new Date('2026-11-20T03:04:05Z')

/**
 * DOKU published these messages, signed for the callback path of another shop. The test uses this path,
 * because the signature covers it.
 */
function read({ headers, raw_body, request, credentials }: Fixture): Received {
  return receive(doku, account(credentials), {
    path: request.path,
    headers: lowerCase(headers),
    body: Buffer.from(raw_body),
    receivedAt,
  })
}
function updateOf(reading: Received) {
  if (!reading.verified || !('updates' in reading))
    throw new Error(`not verified: ${JSON.stringify(reading)}`)
  return reading.updates[0]
}

describe('the adapter reads every message published by DOKU with its documented meaning', () => {
  test('every recorded or published DOKU message is read by a test', () => {
    expect(fixtures.length).toBe(15)
    // This file tests all fixtures (recorded or published messages) except those of two kinds. refund.test.ts tests
    // `action_response`, the response to a refund request. qris-notification.test.ts tests `qris_hint`.
    const kinds = ['notification', 'create_response', 'action_response', 'qris_hint', 'signing']
    for (const { kind } of fixtures) expect(kinds).toContain(kind)
  })

  test.each(ofKind('notification'))(
    'for the DOKU notification in the fixture $name, the signature check and the values read match the fixture',
    fixture => {
      const { expect: want } = fixture
      const reading = read(fixture)
      expect(reading.verified).toBe(want.signature_valid)
      if (!reading.verified) return
      const update = updateOf(reading)
      expect(update).toMatchObject({
        reference: want.order_id,
        providerPaymentId: want.provider_payment_id,
        // DOKU's status FAILED means that one attempt to pay failed, so the payment stays pending. A message
        // about a refund contains no payment status.
        fact: { type: want.status === 'failed' ? 'pending' : (want.status ?? 'nothing') },
      })
      const returned = want.refund as unknown as { status: string } | undefined
      expect(update?.returns).toEqual(
        returned && [{ kind: 'refund', id: null, amount: null, status: returned.status }],
      )
      if (update?.fact.type === 'paid')
        expect(update.fact.amountPaid).toBe(BigInt(want.amount_paid_cents as number))
    },
  )

  test.each(ofKind('create_response'))(
    'for the DOKU charge response in the fixture $name, the values read match the fixture',
    ({ response, method, http_request, expect: want }) => {
      const methodDetail: MethodDetail =
        method === 'virtual_account'
          ? { type: method, bank: 'DOKU' }
          : { type: 'over_the_counter', store: 'ALFAMART' }
      const reference = http_request.body.order.invoice_number
      const taken = toAccepted(response, { reference, methodDetail } as Charge)
      expect(taken).toEqual({
        providerPaymentId: want.order_id,
        methodData:
          method === 'virtual_account'
            ? { type: method, bank: 'DOKU', va_number: want.va_number }
            : { type: method, store_name: 'Alfamart', payment_code: want.payment_code },
      })
    },
  )

  test.each(ofKind('signing'))(
    'the DOKU signing example in the fixture $name gives the expected signature',
    ({ inputs, expected }) => {
      expect(signatureOf(inputs.secret_key, inputs.component)).toBe(expected)
    },
  )
})

test("a DOKU request's signed text has a fixed line order and no final line break", () => {
  const parts = { clientId: 'C', requestId: 'R', timestamp: 'T', target: '/x' }
  const lines = 'Client-Id:C\nRequest-Id:R\nRequest-Timestamp:T\nRequest-Target:/x'
  expect(componentOf(parts)).toBe(lines)
  expect(componentOf({ ...parts, body: Buffer.from('{ }') })).toBe(
    `${lines}\nDigest:JXwb6Wrmn0sBwsab2214YF9ZF1gZ+wB9C/JFv0hETEo=`,
  )
})

const message = {
  service: { id: 'VIRTUAL_ACCOUNT' },
  order: { invoice_number: 'GP261120-7Q4M2ZK8XW', amount: 100_000 },
  transaction: { status: 'SUCCESS', date: '2026-11-20T03:04:05Z', original_request_id: 'R-1' },
}

function notified(
  body: object | string,
  { path = address, secret = own.secret_key, clientId = own.client_id } = {},
): CallbackRequest {
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
  const [requestId, timestamp] = ['n-1', '2026-11-20T03:04:05Z']
  const component = componentOf({ clientId, requestId, timestamp, target: path, body: bytes })
  return {
    path,
    headers: {
      'client-id': clientId,
      'request-id': requestId,
      'request-timestamp': timestamp,
      signature: signatureOf(secret, component),
    },
    body: bytes,
    receivedAt,
  }
}
const factOf = (body: object) => updateOf(receive(doku, account(), notified(body)))?.fact

describe('the DOKU adapter accepts non-SNAP notifications only with a valid signature, and reads the payments from them', () => {
  test('a paid notification reports the amount paid, the payment time and the transfer id', () => {
    for (const virtual_account_payment of [
      { reference_number: '64775', identifier: [{ name: 'REFERENCE', value: '1' }] },
      {
        identifier: [
          { name: 'REQUEST_ID', value: '1' },
          { name: 'REFERENCE', value: '64775' },
        ],
      },
      { identifer: [{ name: 'REFERENCE', value: '64775' }] },
    ])
      expect(factOf({ ...message, virtual_account_payment })).toEqual({
        type: 'paid',
        amountPaid: 10_000_000n,
        paidAt: new Date('2026-11-20T03:04:05Z'),
        receipt: '64775',
      })
    expect(factOf(message)).not.toHaveProperty('receipt')
  })

  test.each<[unknown, Date | undefined]>([
    [' 2026-11-20T03:04:05Z ', new Date('2026-11-20T03:04:05Z')],
    ['2026-11-20', undefined],
    [['2026-11-20T03:04:05Z'], undefined],
    [1_795_143_845, undefined],
    [null, undefined],
  ])(
    "if a DOKU notification's transaction date is %j, the payment time of the reported payment is %s",
    (date, paidAt) => {
      const fact = factOf({ ...message, transaction: { ...message.transaction, date } })
      expect(fact).toEqual({ type: 'paid', amountPaid: 10_000_000n, ...(paidAt && { paidAt }) })
    },
  )

  test("a notification is acknowledged in the format of DOKU's non-SNAP interface", () => {
    expect(receive(doku, account(), notified(message))).toMatchObject({
      acknowledgement: { contentType: 'application/json', body: '{"message":"OK"}' },
    })
  })

  test('a notification with neither an order reference nor a charge id is unreadable', () => {
    const paid = { order: { amount: 100_000 }, transaction: { status: 'SUCCESS' } }
    expect(receive(doku, account(), notified(paid))).toMatchObject({
      unreadable: { reason: expect.stringContaining('invoice_number and transaction.original_request_id') },
    })
  })

  test('a notification is valid only at the URL path it was signed for', () => {
    const request = notified(message)
    expect(receive(doku, account(), request).verified).toBe(true)
    expect(receive(doku, account(), { ...request, path: `${address}?x=1` }).verified).toBe(false)
  })

  test.each([
    ['another secret', { secret: 'SK-other' }],
    ['another client', { clientId: 'MCH-other' }],
  ])('a notification signed with %s is rejected', (_, other) => {
    expect(receive(doku, account(), notified(message, other)).verified).toBe(false)
  })

  test('a notification is rejected if any byte was changed, including white space', () => {
    const request = notified(JSON.stringify(message, null, 1))
    fc.assert(
      fc.property(fc.nat(request.body.length - 1), fc.integer({ min: 1, max: 255 }), (at, mask) => {
        const body = Buffer.from(request.body)
        body.writeUInt8(body.readUInt8(at) ^ mask, at)
        expect(receive(doku, account(), { ...request, body }).verified).toBe(false)
      }),
    )
  })

  test('a notification is accepted however late it arrives', () => {
    const late = { ...notified(message), receivedAt: new Date('2026-12-20T00:00:00Z') }
    expect(receive(doku, account(), late).verified).toBe(true)
  })

  test('a notification whose order cannot be read gets a 500 response, so DOKU sends it again', () => {
    for (const body of [
      '{}',
      'null',
      'no JSON',
      JSON.stringify({ ...message, order: { invoice_number: 'a\0b' } }),
    ])
      expect(receive(doku, account(), notified(body))).toMatchObject({
        verified: true,
        unreadable: { refusal: { status: 500 } },
      })
  })

  test.each([
    ['SUCCESS', 'paid'],
    ['PENDING', 'pending'],
    ['TIMEOUT', 'pending'],
    ['REDIRECT', 'pending'],
    ['FAILED', 'pending'],
    ['EXPIRED', 'expired'],
    ['REFUNDED', 'nothing'],
    [' SUCCESS ', 'paid'],
  ])('a notification with the status %s is read as %s', (status, type) => {
    expect(factOf({ ...message, transaction: { ...message.transaction, status } })?.type).toBe(type)
  })

  test('a notification in another currency or with a zero amount reports no payment', () => {
    const paid = (order: object) => factOf({ ...message, order: { ...message.order, ...order } })?.type
    for (const order of [{ currency: 'USD' }, { amount: 0 }]) expect(paid(order)).toBe('nothing')
    expect(paid({ currency: 'IDR', amount: ' 100000.00 ' })).toBe('paid')
  })

  test.each<{ order?: object; transaction?: object }>([
    ...[undefined, null, '', '1e5', '10,000', 0.5, -1, {}].map(amount => ({ order: { amount } })),
    ...[undefined, null, {}, 'success', 7].map(status => ({ transaction: { status } })),
    { order: { currency: 360 } },
  ])(
    'a notification is unreadable if a required field is missing, invalid or ambiguous: %j',
    ({ order, transaction }) => {
      const changed = {
        ...message,
        order: { ...message.order, ...order },
        transaction: { ...message.transaction, ...transaction },
      }
      expect(receive(doku, account(), notified(changed))).toMatchObject({
        unreadable: { candidates: ['GP261120-7Q4M2ZK8XW', 'R-1'] },
      })
    },
  )

  test('a DOKU notification without an invoice number is matched to its payment by the Request-Id of our charge request', () => {
    const order = { ...message.order, invoice_number: null }
    expect(updateOf(receive(doku, account(), notified({ ...message, order })))).toMatchObject({
      reference: null,
      providerPaymentId: 'R-1',
      fact: { type: 'paid' },
    })
  })

  // In real messages about payments at the bank BSI, some identifiers have no value. The other cases test
  // numbers, and text with white space around it.
  test.each<[string, object, string | undefined]>([
    [
      'an entry without a value',
      {
        identifier: [
          { name: 'REFERENCE', value: '64' },
          { name: 'ID', value: null },
        ],
      },
      '64',
    ],
    ['an entry without a name', { identifier: [{ value: '7' }, {}, { name: 'REFERENCE', value: 64 }] }, '64'],
    ['invalid entries', { identifier: [null, 'REFERENCE', 7] }, undefined],
    ['a numeric reference', { reference_number: 64775 }, '64775'],
    ['a padded reference', { reference_number: '  64775 ' }, '64775'],
    ['an invalid reference', { identifier: [{ name: 'REFERENCE', value: '6 4' }] }, undefined],
    ['a numeric reference that is too large to be exact', { reference_number: 2 ** 60 }, undefined],
  ])(
    'a notification is still read as a payment if its details contain %s',
    (_, virtual_account_payment, receipt) => {
      const virtual_account_info = { virtual_account_number: 1900800000208362 }
      const online_to_offline_info = { payment_code: 73 }
      const changed = { ...message, virtual_account_payment, virtual_account_info, online_to_offline_info }
      const fact = factOf(changed)
      expect(fact).toMatchObject({ type: 'paid', amountPaid: 10_000_000n })
      expect(fact?.type === 'paid' && fact.receipt).toBe(receipt)
    },
  )
})
