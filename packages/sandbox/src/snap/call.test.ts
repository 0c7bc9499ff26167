import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Json } from '../../test/support/merchant.ts'
import {
  askToken,
  type Caller,
  callSnap,
  getJson,
  midtransCredentials,
  register,
  strangerKeys,
} from '../../test/support/snap-merchant.ts'
import { idr, midtransCaller, TOKEN_PATH, VA, va } from '../../test/support/snap-requests.ts'
import { type RunningSandbox, startSandbox } from '../server.ts'

let sandbox: RunningSandbox
let caller: Caller

beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, scanMs: 10 })
  caller = await midtransCaller(sandbox.url)
})
afterAll(() => sandbox.close())

async function listed(reference: string): Promise<Json> {
  return await getJson(`${sandbox.url}/orders?payment_code=${reference}`)
}

describe('SNAP registrations', () => {
  test('every SNAP registration returns the same public key, which merchants use to verify notification signatures', async () => {
    const [first, second] = await Promise.all(
      [1, 2].map(() => register(sandbox.url, 'snap', midtransCredentials)),
    )
    expect(first?.body.credentials.provider_public_key).toContain('-----BEGIN PUBLIC KEY-----')
    expect(second?.body).toEqual(first?.body)
  })

  test.each([
    ['without its client id', { client_id: undefined }],
    ['without a public key', { public_key: undefined }],
    ['with a private key in place of the public one', { public_key: strangerKeys.privateKey }],
    [
      'with a public key that contains no key',
      { public_key: '-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----' },
    ],
  ])('the sandbox rejects the registration of a SNAP merchant %s', async (_, over) => {
    const credentials = JSON.parse(JSON.stringify({ ...midtransCredentials, ...over }))
    expect((await register(sandbox.url, 'snap', credentials)).status).toBe(400)
  })
})

describe('SNAP access tokens', () => {
  test('a signed SNAP token request returns an access token that is valid for fifteen minutes', async () => {
    const { status, body, headers } = await askToken(caller.base, TOKEN_PATH, 'G123-SNAP')
    expect(status).toBe(200)
    expect(body).toMatchObject({ responseCode: '2007300', tokenType: 'Bearer', expiresIn: '900' })
    expect(headers.get('x-timestamp')).toMatch(/\+07:00$/)
  })

  test.each([
    ['a signature with another key', { key: strangerKeys.privateKey }, '4017300'],
    ['an invalid timestamp', { timestamp: '2024-03-19 14:30:00' }, '4007301'],
    ['no grant type', { body: {} }, '4007302'],
    ['another grant type', { body: { grantType: 'password' } }, '4007301'],
  ])('a SNAP token request with %s gets no access token', async (_, over, code) => {
    expect((await askToken(caller.base, TOKEN_PATH, 'G123-SNAP', over)).body.responseCode).toBe(code)
  })

  test('a SNAP access token expires after fifteen minutes', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 901_000 })
    expect((await callSnap(caller, VA, va())).body.responseCode).toBe('4012701')
    vi.useRealTimers()
    expect((await callSnap(caller, VA, va())).body.responseCode).toBe('2002700')
  })

  test('an unregistered client gets no SNAP access token', async () => {
    expect((await askToken(caller.base, TOKEN_PATH, 'G999-SNAP')).body.responseCode).toBe('4017300')
  })
})

describe('signed SNAP calls', () => {
  test.each([
    ['no token', { authorization: '' }, '4012700'],
    ['an invalid token', { authorization: 'Bearer eyJhbGciOiJSUzI1NiJ9.e30.AAAA' }, '4012701'],
    ['an invalid signature', { 'x-signature': 'AAAA' }, '4012700'],
    ['another timestamp than the signed one', { 'x-timestamp': '2024-03-19T14:30:00+07:00' }, '4012700'],
    ['no timestamp', { 'x-timestamp': '' }, '4002702'],
    ['an X-PARTNER-ID other than the token’s client', { 'x-partner-id': 'PARTNER-2' }, '4012700'],
    ['no X-EXTERNAL-ID', { 'x-external-id': '' }, '4002702'],
    ['an X-EXTERNAL-ID with invalid characters', { 'x-external-id': 'a b' }, '4002701'],
    ['a CHANNEL-ID that is not five digits', { 'channel-id': '1234' }, '4002701'],
  ])('a SNAP call with %s is rejected and creates no order', async (_, over, code) => {
    const body = va()
    const answer = await callSnap(caller, VA, body, { over })
    expect(answer.body.responseCode).toBe(code)
    expect(answer.status).toBe(Number(code.slice(0, 3)))
    expect((await listed(body.trxId)).count).toBe(0)
  })

  test('a SNAP call whose body differs from the signed body creates nothing', async () => {
    const body = va()
    const instead = JSON.stringify({ ...body, totalAmount: idr('10001.00') })
    expect((await callSnap(caller, VA, body, { instead })).body.responseCode).toBe('4012700')
    expect((await listed(body.trxId)).count).toBe(0)
  })

  test('whitespace in the body of a SNAP call does not affect the signature', async () => {
    const text = JSON.stringify(va(), null, 2)
    expect((await callSnap(caller, VA, undefined, { text })).body.responseCode).toBe('2002700')
  })
})
