import { generateKeyPairSync, sign } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Received, receive } from '../../../test/support/receive-callback.ts'
import type { CallbackRequest, ProviderAccount } from '../provider.ts'
import { transactionSignature } from '../snap/signature.ts'
import { contractData } from './contract-data.ts'
import type { Credentials } from './credentials.ts'
import { doku } from './doku.ts'
import { isIssued, issueToken } from './issued-token.ts'

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

function updateOf(reading: Received) {
  if (!reading.verified || !('updates' in reading))
    throw new Error(`not verified: ${JSON.stringify(reading)}`)
  return reading.updates[0]
}

const at = (time: string) => new Date(time)
function tokenCall({
  client = own.client_id,
  key = dokus.privateKey,
  timestamp = '2026-11-20T03:04:00Z',
} = {}): CallbackRequest {
  return {
    path: `${address}/authorization/v1/access-token/b2b`,
    headers: {
      'x-client-key': client,
      'x-timestamp': timestamp,
      'x-signature': sign('sha256', Buffer.from(`${client}|${timestamp}`), key).toString('base64'),
    },
    body: Buffer.from('{"grantType":"client_credentials"}'),
    receivedAt,
  }
}
function tokenOf(reading: Received): string {
  if (!reading.verified || !('reply' in reading)) throw new Error('no token')
  return JSON.parse(reading.reply.body).accessToken
}

describe('the service issues access tokens only for requests that DOKU has signed', () => {
  test("an access token is issued only for a request with DOKU's signature, our client id and a recent timestamp", () => {
    expect(receive(doku, account(), tokenCall())).toMatchObject({ verified: true })
    const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
    const key = stranger.export({ type: 'pkcs8', format: 'pem' }) as string
    for (const call of [
      { key },
      { client: 'MCH-other' },
      { timestamp: '2026-11-18T03:04:00Z' },
      { timestamp: 'now' },
    ])
      expect(receive(doku, account(), tokenCall(call)).verified).toBe(false)
    expect(receive(doku, account(), { ...tokenCall(), headers: {} }).verified).toBe(false)
    const headers = { ...tokenCall().headers, 'x-client-key': 'MCH-other' }
    expect(receive(doku, account(), { ...tokenCall(), headers }).verified).toBe(false)
  })

  test("DOKU's token request gets an access token in SNAP's format, and a repeated request gets the same response", () => {
    const reading = receive(doku, account(), tokenCall())
    if (!reading.verified || !('reply' in reading)) throw new Error('no reply')
    expect(JSON.parse(reading.reply.body)).toMatchObject({
      responseCode: '2007300',
      responseMessage: 'Successful',
      tokenType: 'Bearer',
      expiresIn: 900,
    })
    expect(reading.reply.headers).toEqual({
      'X-CLIENT-KEY': account().credentials.client_id,
      'X-TIMESTAMP': '2026-11-20T10:04:05+07:00',
    })
    expect(receive(doku, account(), tokenCall())).toEqual(reading)
  })

  test('a notification access token is valid only for one provider account and a minute longer than announced', () => {
    const token = issueToken(account(), receivedAt)
    expect(isIssued(account(), token, at('2026-11-20T03:20:04Z'))).toBe(true)
    expect(isIssued(account(), token, at('2026-11-20T03:20:05Z'))).toBe(false)
    expect(isIssued({ ...account(), id: `${id.slice(0, -1)}2` }, token, receivedAt)).toBe(false)
    expect(isIssued(account({ secret_key: 'SK-other' }), token, receivedAt)).toBe(false)
  })

  test('an issued access token with a changed expiry time, and any guessed token, is rejected', () => {
    const token = issueToken(account(), receivedAt)
    const [endS = '', mac = ''] = token.split('.')
    expect(isIssued(account(), `${Number(endS) + 1}.${mac}`, receivedAt)).toBe(false)
    fc.assert(
      fc.property(fc.string(), text => {
        expect(isIssued(account(), text, receivedAt)).toBe(false)
        expect(isIssued(account(), `${endS}.${text}`, receivedAt)).toBe(false)
      }),
    )
  })
})

describe('SNAP notifications from DOKU are verified and read', () => {
  const va = {
    partnerServiceId: '   77777',
    customerNo: '1',
    virtualAccountNo: '   777771',
    trxId: 'GP261120-7Q4M2ZK8XW',
    paymentRequestId: 'P-1',
    paidAmount: { value: '11500.00', currency: 'IDR' },
  }
  const wallet = {
    originalPartnerReferenceNo: 'GP261120-7Q4M2ZK8XW',
    originalReferenceNo: 'D-1',
    latestTransactionStatus: '00',
    amount: { value: '11500.00', currency: 'IDR' },
  }
  const signedBy = (
    body: object,
    endpoint: string,
    { token = tokenOf(receive(doku, account(), tokenCall())), secret = own.secret_key, path = endpoint } = {},
  ): CallbackRequest => {
    const bytes = Buffer.from(JSON.stringify(body))
    const timestamp = '2026-11-20T10:04:03+07:00'
    return {
      path: `${address}${endpoint}`,
      headers: {
        authorization: `Bearer ${token}`,
        'x-timestamp': timestamp,
        'x-signature': transactionSignature(secret, token, { path, body: bytes, timestamp }),
      },
      body: bytes,
      receivedAt,
    }
  }

  test.each([
    ['/v1/transfer-va/payment', va, 'P-1', '2002500'],
    ['/v1.0/debit/notify', wallet, 'D-1', '2005600'],
    ['/v1.0/qr/qr-mpm-notify', wallet, 'D-1', '2005200'],
  ])(
    'a notification to the endpoint %s is accepted if it contains an access token that this service issued to DOKU',
    (endpoint, body, receipt, responseCode) => {
      const reading = receive(doku, account(), signedBy(body, endpoint))
      expect(updateOf(reading)).toEqual({
        reference: 'GP261120-7Q4M2ZK8XW',
        providerPaymentId: receipt,
        fact: { type: 'paid', amountPaid: 1_150_000n, receipt },
      })
      if (!reading.verified || !('acknowledgement' in reading)) throw new Error('not acknowledged')
      expect(JSON.parse(reading.acknowledgement.body)).toMatchObject({ responseCode })
      expect(reading.acknowledgement.headers).toEqual({ 'X-TIMESTAMP': '2026-11-20T10:04:05+07:00' })
    },
  )

  test("the acknowledgement of a virtual account notification repeats the payer's name and the payment's id unchanged", () => {
    const named = { ...va, virtualAccountName: 'Toru Yamashita', paymentRequestId: ' P-1 ' }
    const reading = receive(doku, account(), signedBy(named, '/v1/transfer-va/payment'))
    if (!reading.verified || !('acknowledgement' in reading)) throw new Error('not acknowledged')
    const { paidAmount: _, ...virtualAccountData } = named
    expect(JSON.parse(reading.acknowledgement.body)).toEqual({
      responseCode: '2002500',
      responseMessage: 'Successful',
      virtualAccountData,
    })
    expect(updateOf(reading)).toMatchObject({ fact: { type: 'paid', receipt: 'P-1' } })
  })

  test('a notification with status 05 is read as expired or cancelled, because DOKU has no separate status for expiry', () => {
    const closed = { ...wallet, latestTransactionStatus: '05' }
    const reading = receive(doku, account(), signedBy(closed, '/v1.0/debit/notify'))
    expect(updateOf(reading)).toMatchObject({ fact: { type: 'closed' } })
  })

  test("a notification may contain DOKU's QRIS merchant number instead of our client id", () => {
    const request = signedBy({ ...wallet, merchantId: '47435' }, '/v1.0/qr/qr-mpm-notify')
    expect(updateOf(receive(doku, account(), request))).toMatchObject({ fact: { type: 'paid' } })
  })

  test('a notification with a token for replaced credentials is accepted while these credentials are still valid', () => {
    const replaced = { ...own, secret_key: 'SK-replaced' }
    const token = issueToken(account(replaced), receivedAt)
    const request = signedBy(va, '/v1/transfer-va/payment', { token })
    const rotated = { ...account(), otherCredentials: [replaced] }
    expect(updateOf(receive(doku, rotated, request))).toMatchObject({ fact: { type: 'paid' } })
    expect(receive(doku, account(), request).verified).toBe(false)
  })

  test("a notification is accepted if its signature covers the callback request's full path", () => {
    const path = `${address}/v1/transfer-va/payment`
    const request = signedBy(va, '/v1/transfer-va/payment', { path })
    expect(receive(doku, account(), request).verified).toBe(true)
  })

  test.each([
    ['a token of another account', { token: issueToken({ ...account(), id: 'other' }, receivedAt) }],
    ['an expired token', { token: issueToken(account(), at('2026-11-20T02:48:05Z')) }],
    ['a token that was never issued', { token: 'eyJhbGciOiJSUzI1NiJ9.x.y' }],
    ['another secret', { secret: 'SK-other' }],
    ['another path', { path: '/v1.0/debit/notify' }],
  ])('a notification with %s is rejected', (_, other) => {
    const request = signedBy(va, '/v1/transfer-va/payment', other)
    expect(receive(doku, account(), request).verified).toBe(false)
  })

  test('a DOKU notification is rejected if its access token is missing or is not the token that its signature covers', () => {
    const request = signedBy(va, '/v1/transfer-va/payment')
    const { authorization: _, ...headers } = request.headers
    expect(receive(doku, account(), { ...request, headers }).verified).toBe(false)
    const authorization = `Bearer ${issueToken(account(), at('2026-11-20T03:04:01Z'))}`
    const swapped = { ...request, headers: { ...request.headers, authorization } }
    expect(receive(doku, account(), swapped).verified).toBe(false)
  })
})

test('if a DOKU notification has arbitrary content, the adapter rejects it without throwing an error', () => {
  const paths = fc.constantFrom(
    address,
    `${address}/authorization/v1/access-token/b2b`,
    `${address}/v1/transfer-va/payment`,
    '',
    'x',
  )
  const names = fc.constantFrom(
    'signature',
    'x-signature',
    'x-timestamp',
    'authorization',
    'client-id',
    'x-client-key',
  )
  fc.assert(
    fc.property(paths, fc.string(), fc.dictionary(names, fc.string()), (path, body, headers) => {
      const request = { path, headers, body: Buffer.from(body), receivedAt }
      expect(receive(doku, account(), request).verified).toBe(false)
    }),
  )
})
