import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { receive } from '../../../test/support/receive-callback.ts'
import type { CallbackRequest, ProviderAccount } from '../provider.ts'
import { contractData } from './contract-data.ts'
import type { Credentials } from './credentials.ts'
import { doku } from './doku.ts'
import { componentOf, signatureOf } from './signature.ts'

const published = JSON.parse(
  readFileSync(new URL('fixtures/notif-qris-words.json', import.meta.url), 'utf8'),
) as { parameters: Record<string, string>; raw_body: string; credentials: { qris_shared_key: string } }
const KEY = published.credentials.qris_shared_key
const own = contractData.signer('').credentials as Credentials
const id = '01990000-0000-7000-8000-000000000001'
const account = (more: Partial<Credentials> = {}): ProviderAccount<Credentials> => ({
  id,
  mode: 'test',
  credentials: { ...own, ...more },
  baseUrl: null,
})
const withKey = account({ qris_shared_key: KEY })
const QRIS = '/v1.0/qr/qr-mpm-notify'
const at = (endpoint: string) => `/v1/callbacks/doku/${id}${endpoint}`

const hint = (
  changes: Record<string, string> = {},
  { endpoint = QRIS, headers = {} }: { endpoint?: string; headers?: Record<string, string> } = {},
): CallbackRequest => ({
  path: `${at(endpoint)}?${new URLSearchParams({ ...published.parameters, ...changes })}`,
  headers: { 'content-type': 'application/json', ...headers },
  body: Buffer.from(published.raw_body),
  receivedAt: new Date('2026-11-20T03:04:05Z'),
})
const unproven = (status: string) => ({
  reference: 'INVtestaccount07',
  providerPaymentId: 'INVtestaccount07',
  fact: { type: 'unproven', reason: `TXNSTATUS ${status} is unsigned`, claimsPayment: true },
})

describe("DOKU's older QRIS notification causes a status inquiry, but never proves a payment", () => {
  test("DOKU's published notification is read as an unproven claim of a payment and acknowledged with CONTINUE", () => {
    expect(receive(doku, withKey, hint())).toEqual({
      verified: true,
      updates: [unproven('S')],
      acknowledgement: { contentType: 'text/plain', body: 'CONTINUE' },
    })
  })

  test.each(['F', '', 'R'])(
    'a notification with the unsigned status %j still counts as a claim, so that an outdated inquiry result reverses nothing',
    status => {
      const reading = receive(doku, withKey, hint({ TXNSTATUS: status }))
      expect(reading).toMatchObject({ updates: [unproven(status || 'absent')] })
    },
  )

  test('an account without the QRIS shared key accepts no such notification', () => {
    expect(receive(doku, account(), hint())).toEqual({
      verified: false,
      reason: 'WORDS is wrong',
    })
  })

  test('the parameters may also be a form in the body', () => {
    const body = Buffer.from(`${new URLSearchParams(published.parameters)}`)
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const request = { ...hint(), path: at(QRIS), headers, body }
    expect(receive(doku, withKey, request)).toEqual(receive(doku, withKey, hint()))
  })

  test('whatever its parameters are, a QRIS notification is never read as a payment', () => {
    const name = fc.constantFrom(...Object.keys(published.parameters), 'latestTransactionStatus')
    fc.assert(
      fc.property(fc.dictionary(name, fc.string()), changes => {
        const reading = receive(doku, withKey, hint(changes))
        if (!('updates' in reading)) return
        for (const { fact, reference, providerPaymentId } of reading.updates) {
          expect(fact.type).toBe('unproven')
          expect(fact).not.toHaveProperty('ifUnmatched')
          expect(providerPaymentId).toBe(reference)
        }
      }),
    )
  })

  test.each(['WORDS', 'ISSUERID', 'TXNDATE', 'MERCHANTPAN', 'INVOICE'])(
    'a notification with a changed %s is rejected',
    name => {
      const changed = hint({ [name]: name === 'WORDS' ? '0'.repeat(40) : 'changed' })
      expect(receive(doku, withKey, changed)).toEqual({ verified: false, reason: 'WORDS is wrong' })
    },
  )

  test('replaced credentials without the QRIS shared key do not make WORDS optional', () => {
    const changed = hint({ WORDS: '0'.repeat(40) })
    const replaced = { ...account(), otherCredentials: [withKey.credentials] }
    expect(receive(doku, replaced, changed).verified).toBe(false)
    expect(receive(doku, replaced, hint()).verified).toBe(true)
  })

  test.each<[string, CallbackRequest]>([
    ['without WORDS', hint({ WORDS: '' })],
    ['with WORDS that is no SHA-1 hash', hint({ WORDS: 'x'.repeat(40) })],
    ['without a TRANSACTIONID', hint({ TRANSACTIONID: '' })],
    ['with a TRANSACTIONID that is no ID', hint({ TRANSACTIONID: 'a\0b' })],
    ['at the address of another method', hint({}, { endpoint: '/v1.0/debit/notify' })],
    ['at the address without a path', hint({}, { endpoint: '' })],
    ['with a SNAP signature', hint({}, { headers: { 'x-signature': 'x', 'x-timestamp': 'now' } })],
    ['with a non-SNAP signature', hint({}, { headers: { signature: 'HMACSHA256=x' } })],
  ])('a notification %s is rejected', (_, request) => {
    expect(receive(doku, withKey, request).verified).toBe(false)
  })

  test('WORDS is compared without regard to case', () => {
    const { WORDS = '' } = published.parameters
    expect(receive(doku, withKey, hint({ WORDS: WORDS.toUpperCase() })).verified).toBe(true)
  })
})

describe("a QRIS notification with non-SNAP headers may be signed with the account's QRIS credentials", () => {
  const message = {
    ...{ service: { id: 'QRIS' }, channel: { id: 'QRIS_DOKU' } },
    order: { invoice_number: 'GP261120-7Q4M2ZK8XW', amount: 6000 },
    transaction: { status: 'SUCCESS', date: '2026-11-20T03:04:05Z', original_request_id: '1784626001996' },
  }
  function signed(clientId: string, key: string, endpoint = QRIS): CallbackRequest {
    const [target, body] = [at(endpoint), Buffer.from(JSON.stringify(message))]
    const [requestId, timestamp] = ['n-1', '2026-11-20T03:04:05Z']
    const signature = signatureOf(key, componentOf({ clientId, requestId, timestamp, target, body }))
    const ids = { 'client-id': clientId, 'request-id': requestId, 'request-timestamp': timestamp }
    return { path: target, headers: { ...ids, signature }, body, receivedAt: new Date(timestamp) }
  }
  const mallId = own.qris_merchant_id ?? ''

  test("both the account's main credentials and its QRIS credentials are accepted", () => {
    for (const request of [signed(own.client_id, own.secret_key), signed(mallId, KEY)])
      expect(receive(doku, withKey, request)).toMatchObject({
        updates: [
          {
            reference: 'GP261120-7Q4M2ZK8XW',
            providerPaymentId: 'GP261120-7Q4M2ZK8XW',
            fact: { type: 'paid', amountPaid: 600_000n },
          },
        ],
      })
  })

  test('the QRIS credentials are valid only at the address for QRIS notifications', () => {
    expect(receive(doku, account(), signed(mallId, KEY))).toMatchObject({ reason: 'Client-Id is not ours' })
    expect(receive(doku, account(), signed(own.client_id, KEY)).verified).toBe(false)
    for (const endpoint of ['', '/v1.0/debit/notify']) {
      expect(receive(doku, withKey, signed(mallId, KEY, endpoint)).verified).toBe(false)
      expect(receive(doku, withKey, signed(own.client_id, KEY, endpoint)).verified).toBe(false)
    }
    expect(receive(doku, withKey, signed(mallId, 'another key')).verified).toBe(false)
    expect(receive(doku, withKey, signed('another client', KEY)).verified).toBe(false)
  })

  test('the QRIS shared key needs the other QRIS credentials', () => {
    const { qris_merchant_id: _, qris_terminal_id, qris_postal_code, ...rest } = own
    const given = { ...rest, qris_shared_key: KEY }
    expect(doku.credentials.safeParse({ ...own, qris_shared_key: KEY }).success).toBe(true)
    expect(doku.credentials.safeParse(rest).success).toBe(true)
    expect(doku.credentials.safeParse(given).success).toBe(false)
    expect(doku.credentials.safeParse({ ...given, qris_terminal_id, qris_postal_code }).success).toBe(false)
  })
})
