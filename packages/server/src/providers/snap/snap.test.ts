import { generateKeyPairSync } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Received, receive } from '../../../test/support/receive-callback.ts'
import {
  account,
  address,
  credentials,
  factOf,
  id,
  message,
  notified,
} from '../../../test/support/snap-notification.ts'
import type { CallbackRequest } from '../provider.ts'
import { errorKind, readAnswer } from './client.ts'
import { orderStatus, tokenAnswer } from './messages.ts'
import { readNotification, symmetric, verifyNotification } from './notification.ts'
import { orderUpdate } from './order-update.ts'
import { midtrans, type SnapAccount } from './profile.ts'
import { transactionSignature } from './signature.ts'
import { snap } from './snap.ts'
import { ofIso } from './time.ts'

type Fixture = {
  name: string
  kind: 'notification' | 'create_response' | 'error_response' | 'signing'
  method?: string
  request: { path: string }
  headers: Record<string, string>
  raw_body: string
  http_status: number
  response: Record<string, unknown>
  credentials: Record<string, string>
  expect: Record<string, string | number | boolean | null>
  expected_ack?: { http_status: number; body: object }
}
const directory = join(import.meta.dirname, 'fixtures')
const fixtures = readdirSync(directory).map(name => ({
  name,
  ...(JSON.parse(readFileSync(join(directory, name), 'utf8')) as Omit<Fixture, 'name'>),
}))
const ofKind = (kind: Fixture['kind']) => fixtures.filter(fixture => fixture.kind === kind)
const named = (name: string) => fixtures.find(fixture => fixture.name === name) as Fixture

const lowerCase = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

/**
 * Returns the fixture as a request to our callback address. By default, the request arrives one second after
 * its X-TIMESTAMP.
 */
function requestOf(fixture: Fixture, lateMs = 1_000): CallbackRequest {
  const headers = lowerCase(fixture.headers)
  const sentAt = ofIso(headers['x-timestamp']) as Date
  return {
    path: `${address}${fixture.request.path}`,
    headers,
    body: Buffer.from(fixture.raw_body),
    receivedAt: new Date(sentAt.getTime() + lateMs),
  }
}

/** Returns the merchant ID in the body of a published message, or a default ID if the body contains none. */
const merchantOf = ({ raw_body }: Fixture) => /"merchantId": ?"(G\d+)"/.exec(raw_body)?.[1] ?? 'G000000001'

function read(fixture: Fixture, request = requestOf(fixture)): Received {
  const {
    verification: style,
    provider_public_key = '',
    client_secret = '',
    issued_access_token,
  } = fixture.credentials
  if (style === 'asymmetric')
    return receive(snap, account({ provider_public_key, merchant_id: merchantOf(fixture) }), request)
  // DOKU's variant of SNAP uses a different path for notifications. This service did not issue the token in
  // the recorded notification, so the test accepts exactly this token.
  const profile = {
    ...midtrans,
    tellsVaStatus: false,
    namesMerchant: false,
    notifications: { '/v1/transfer-va/payment': 'virtual_account' },
  } as const
  const verify = symmetric(client_secret, token => token === issued_access_token)
  const verification = verifyNotification({ ...({} as SnapAccount), id, profile }, request, verify)
  if (!verification.verified || 'reply' in verification) return verification
  return { verified: true, ...readNotification(profile, { id }, request) }
}

type Returned = { provider_refund_id: string; amount_cents: number; status: string }

describe("the adapter reads every message published for SNAP as the message's fixture specifies", () => {
  test('every recorded or published SNAP message is read by a test', () => {
    expect(fixtures.length).toBe(18)
    // The response to a refund request is tested in refund.test.ts, not in this file.
    const kinds = ['notification', 'create_response', 'action_response', 'error_response', 'signing']
    for (const { kind } of fixtures) expect(kinds).toContain(kind)
  })

  test.each(ofKind('notification'))(
    'reading the SNAP notification in the fixture $name gives the signature check result and the values that the fixture expects',
    fixture => {
      const { expect: want, expected_ack: ack } = fixture
      const reading = read(fixture)
      expect(reading.verified).toBe(want.signature_valid)
      if (!reading.verified || !('updates' in reading)) return
      expect(reading.updates).toHaveLength(1)
      const { reference, providerPaymentId, fact } = reading.updates[0] as (typeof reading.updates)[0]
      expect(reference).toBe(want.order_id)
      if (want.provider_payment_id !== null) expect(providerPaymentId).toBe(want.provider_payment_id)
      expect(providerPaymentId).not.toBe('')
      expect(fact.type).toBe(want.status ?? 'nothing')
      const returned = want.refund as unknown as Returned | undefined
      expect(reading.updates[0]?.returns).toEqual(
        returned && [
          {
            kind: 'refund',
            id: returned.provider_refund_id,
            reference: expect.stringMatching(/-R\d$/),
            amount: BigInt(returned.amount_cents),
            status: returned.status,
          },
        ],
      )
      if (fact.type === 'paid') {
        expect(fact.amountPaid).toBe(BigInt(want.amount_paid_cents as number))
        expect(fact.receipt).toBe(want.provider_payment_id)
      }
      expect(JSON.parse(reading.acknowledgement.body)).toMatchObject(ack?.body as object)
    },
  )

  test('the adapter reads a QRIS inquiry response whose amount is a JSON number', () => {
    const { response, expect: want } = named('status-qris-query.json')
    const inquiry = {
      reference: 'INV-Test02102025',
      amount: 100_000n,
      channel: 'qris',
      methodDetail: { type: 'qris' },
      startedAt: new Date('2025-10-02T10:00:00Z'),
      providerPaymentId: null,
      methodData: null,
    } as const
    expect(
      orderUpdate({ profile: midtrans } as SnapAccount, inquiry, orderStatus.parse(response)),
    ).toMatchObject({
      reference: 'INV-Test02102025',
      fact: {
        type: want.status,
        amountPaid: BigInt(want.amount_paid_cents as number),
        paidAt: new Date('2025-10-02T10:44:19Z'),
      },
    })
  })

  test('a token response can be read whether the lifetime is a number or a string', () => {
    const { response, expect: want } = named('create-token-b2b.json')
    expect(tokenAnswer.parse(response)).toMatchObject({
      accessToken: want.access_token,
      expiresIn: want.expires_in_s,
    })
    expect(tokenAnswer.parse({ ...response, expiresIn: '890' }).expiresIn).toBe(890)
  })

  test.each([
    ['error-duplicate-external-id.json', 'unknown'],
    ['error-invalid-token.json', 'unavailable'],
  ])('the provider’s error response %s is classified as %s', (name, kind) => {
    const { http_status: status, response: json } = named(name)
    expect(errorKind(readAnswer({ status, json }))).toBe(kind)
  })
})

describe('SNAP notifications', () => {
  test("a notification's signature must cover its SNAP path or the full path of the request", () => {
    const verified = (signedPath: string) =>
      receive(snap, account(), notified(message, { signedPath })).verified
    expect(verified('/v1.0/qr/qr-mpm-notify')).toBe(true)
    expect(verified(`${address}/v1.0/qr/qr-mpm-notify`)).toBe(true)
    expect(verified('/v1.0/debit/notify')).toBe(false)
  })

  test('a notification about one payment method is rejected if it arrives at the path for another payment method', () => {
    const request = notified(message)
    const elsewhere = { ...request, path: `${address}/v1.0/debit/notify` }
    expect(receive(snap, account(), elsewhere).verified).toBe(false)
  })

  test.each(['', '/', '/v1.0/qr/other', '/toString'])(
    'a SNAP notification at the path %j is rejected, because this is not the path of a SNAP notification',
    path => {
      expect(receive(snap, account(), notified(message, { path })).verified).toBe(false)
    },
  )

  test('a stored notification is unreadable if its path is not a SNAP notification path', () => {
    const stored = { ...notified(message), path: `${address}/v1.0/qr/other` }
    expect(snap.readCallback(account(), stored)).toMatchObject({
      unreadable: {
        reason: expect.stringContaining('is not that of a SNAP notification'),
        refusal: { status: 500, body: expect.stringContaining('"responseCode":"5000000"') },
      },
    })
  })

  test.each(['x-signature', 'x-timestamp'])('a SNAP notification without the header %s is rejected', name => {
    const { [name]: _, ...headers } = notified(message).headers
    expect(receive(snap, account(), { ...notified(message), headers })).toEqual({
      verified: false,
      reason: 'not a SNAP notification',
    })
  })

  test('a notification signed with a shared secret is rejected if it has no bearer token', () => {
    const verify = symmetric('SK', () => true)
    const signed = { path: '/v1.0/debit/notify', body: Buffer.from('{}'), timestamp: 'T' }
    const verified = (authorization: Record<string, string>, token: string) => {
      const request = { ...notified(message), headers: authorization }
      return verify(signed, transactionSignature('SK', token, signed), request)
    }
    expect(verified({ authorization: 'Bearer t' }, 't')).toBe(true)
    expect(verified({}, 'undefined')).toBe(false)
    expect(verified({ authorization: 'Basic t' }, 't')).toBe(false)
  })

  test("a notification is rejected if it is not signed with the acquirer's key", () => {
    const other = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const key = other.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
    expect(receive(snap, account(), notified(message, { key })).verified).toBe(false)
  })

  test.each(['GP261120-7Q4M2ZK8XW-2', 'GP2611207Q4M2ZK8XWT2'])(
    'a SNAP notification may contain our reference with or without dashes: %s',
    sent => {
      const va = { trxId: sent, paymentRequestId: 'P1', additionalInfo: { paymentFlagStatus: '03' } }
      for (const request of [
        notified({ ...message, originalPartnerReferenceNo: sent }),
        notified({ ...message, originalPartnerReferenceNo: sent }, { path: '/v1.0/debit/notify' }),
        notified(va, { path: '/v1.0/transfer-va/payment' }),
      ])
        expect(snap.readCallback(account(), request)).toMatchObject({
          updates: [{ reference: 'GP261120-7Q4M2ZK8XW-2' }],
        })
    },
  )

  test('a SNAP notification is accepted even if its body contains whitespace that was not signed', () => {
    const compact = notified(message)
    const spaced = { ...compact, body: Buffer.from(JSON.stringify(message, null, 2)) }
    expect(receive(snap, account(), spaced)).toEqual(receive(snap, account(), compact))
  })

  test.each([
    ['a day old', 24 * 3_600_000, true],
    ['more than a day old', 24 * 3_600_000 + 1, false],
    ['five minutes ahead', -5 * 60_000, true],
    ['more than five minutes ahead', -5 * 60_000 - 1, false],
  ])(
    'if the timestamp of a notification is $0 on arrival, the verification of the notification returns $2',
    (_, lateMs, verified) => {
      const fixture = named('notif-debit-success-official-rsa.json')
      expect(read(fixture, requestOf(fixture, lateMs)).verified).toBe(verified)
    },
  )

  test('a notification with an unreadable timestamp is rejected', () => {
    expect(receive(snap, account(), notified(message, { at: 'yesterday' })).verified).toBe(false)
  })

  test('a notification for another merchant of the same provider is rejected even if its signature is valid', () => {
    const verified = (more: object) => receive(snap, account(), notified({ ...message, ...more })).verified
    expect(verified({ merchantId: credentials.merchant_id })).toBe(true)
    expect(verified({ merchantId: 'G1' })).toBe(false)
    for (const merchantId of [null, '', ` ${credentials.merchant_id} `])
      expect([verified({ merchantId }), verified({ additionalInfo: { merchantId } })]).toEqual([true, true])
    expect(verified({ additionalInfo: { merchantId: 'G1' } })).toBe(false)
    const va = { trxId: 'x', paymentRequestId: '1', additionalInfo: { merchantId: 'G1' } }
    const request = notified(va, { path: '/v1.0/transfer-va/payment' })
    expect(receive(snap, account(), request).verified).toBe(false)
  })

  test.each([undefined, null, {}, { paymentFlagStatus: '' }, { paymentFlagStatus: null }])(
    'a virtual account notification with the additionalInfo %j has no status, so it proves no payment, and the service sends a status inquiry',
    additionalInfo => {
      const va = { trxId: 'GP1', paymentRequestId: 'P1', paidAmount: message.amount, additionalInfo }
      expect(factOf(notified(va, { path: '/v1.0/transfer-va/payment' }))?.type).toBe('unproven')
    },
  )

  test('a notification is accepted if the callback URL was registered with a trailing slash', () => {
    const request = notified(message, {
      path: '//v1.0/qr/qr-mpm-notify',
      signedPath: '/v1.0/qr/qr-mpm-notify',
    })
    expect(factOf(request)?.type).toBe('paid')
  })

  test('a notification that does not identify an order is unreadable', () => {
    for (const body of [
      '{}',
      'null',
      '[]',
      'no JSON',
      JSON.stringify({ ...message, originalPartnerReferenceNo: 'a\0b' }),
      JSON.stringify({ ...message, originalPartnerReferenceNo: null, originalReferenceNo: '' }),
    ])
      expect(receive(snap, account(), notified(body))).toMatchObject({
        verified: true,
        unreadable: {
          refusal: {
            status: 500,
            headers: { 'X-TIMESTAMP': expect.stringMatching(/^[\d-]{10}T[\d:]{8}\+07:00$/) },
            body: expect.stringContaining('"responseCode":"5005200"'),
          },
        },
      })
  })

  test('the acknowledgement of a virtual account notification contains the account number', () => {
    const reading = read(named('notif-va-payment-success.json'))
    if (!reading.verified || !('updates' in reading)) throw new Error('not verified')
    expect(JSON.parse(reading.acknowledgement.body)).toEqual({
      responseCode: '2002500',
      responseMessage: 'Successful',
      virtualAccountData: {
        partnerServiceId: '  088899',
        customerNo: '12345678901234567890',
        virtualAccountNo: '  08889912345678901234567890',
        trxId: 'abcdefgh1234',
      },
    })
    expect(reading.updates[0]?.fact).toMatchObject({ paidAt: new Date('2019-12-31T17:00:00Z') })
  })
})
