import { verify } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  type Answer,
  accepted,
  accountAt,
  type FakeAcquirer,
  fakeAcquirer,
  inquiry,
  kindOf,
  order,
  pair,
  type Sent,
} from '../../../test/support/fake-acquirer.ts'
import type { ProviderAccount } from '../provider.ts'
import type { Credentials } from './credentials.ts'
import { snap } from './snap.ts'

let acquirer: FakeAcquirer
let account: ProviderAccount<Credentials>
beforeEach(async () => {
  acquirer = await fakeAcquirer()
  account = accountAt(acquirer.url)
})
afterEach(() => {
  vi.useRealTimers()
  acquirer.close()
})

describe('the SNAP adapter requests, caches and renews access tokens', () => {
  test("a token request's signature covers the client id and the timestamp", async () => {
    acquirer.answer = accepted
    await snap.charge(account, order())
    const [{ headers, body, path }] = acquirer.tokens as [Sent]
    const client = account.credentials.client_id
    expect(path).toBe('/snap/v1.0/access-token/b2b')
    expect(body).toEqual({ grantType: 'client_credentials' })
    expect(headers['x-client-key']).toBe(client)
    const signed = Buffer.from(`${client}|${headers['x-timestamp']}`)
    expect(
      verify('sha256', signed, pair.publicKey, Buffer.from(headers['x-signature'] as string, 'base64')),
    ).toBe(true)
  })

  test('many concurrent charges request only one access token, and later charges use the cached token', async () => {
    acquirer.answer = accepted
    await Promise.all(
      Array.from({ length: 20 }, (_, i) => snap.charge(account, order('bca', { reference: `R${i}` }))),
    )
    await snap.charge(account, order())
    expect(acquirer.tokens).toHaveLength(1)
    expect(acquirer.calls).toHaveLength(21)
  })

  test('an access token is renewed a minute before it expires', async () => {
    acquirer.answer = accepted
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-20T03:00:00Z') })
    await snap.charge(account, order())
    vi.setSystemTime(new Date('2026-11-20T03:13:59Z'))
    await snap.charge(account, order())
    expect(acquirer.tokens).toHaveLength(1)
    vi.setSystemTime(new Date('2026-11-20T03:14:00Z'))
    await snap.charge(account, order())
    expect(acquirer.tokens).toHaveLength(2)
    expect(acquirer.calls.at(-1)?.headers.authorization).toBe('Bearer token-2')
  })

  test("charges and inquiries have separate access tokens, so a charge's slow token request never delays an inquiry", async () => {
    const issued = acquirer.token
    const late = Promise.withResolvers<Answer>()
    acquirer.token = () => (acquirer.tokens.length === 1 ? late.promise : issued())
    acquirer.answer = sent =>
      sent.path.endsWith('qr-mpm-query')
        ? { status: 404, body: { responseCode: '4045101', responseMessage: 'not found' } }
        : accepted(sent)
    const charging = snap.charge(account, order())
    await vi.waitFor(() => expect(acquirer.tokens).toHaveLength(1), 120_000)
    expect(await snap.inquire(account, inquiry('qris'))).toBe('absent')
    expect(await snap.inquire(account, inquiry('qris'))).toBe('absent')
    late.resolve(await issued())
    await charging
    expect(acquirer.tokens).toHaveLength(2)
  })

  test('an access token is used only with the credentials and the host that it was issued for', async () => {
    acquirer.answer = accepted
    await snap.charge(account, order())
    await snap.charge({ ...account, credentials: { ...account.credentials, client_id: 'another' } }, order())
    await snap.charge({ ...account, baseUrl: `${account.baseUrl}2` }, order())
    expect(acquirer.tokens).toHaveLength(3)
  })

  test.each(['01', '03'])(
    'after the error 401ss%s, the adapter requests a new access token and repeats the charge once, with the same X-EXTERNAL-ID',
    async which => {
      acquirer.answer = sent =>
        sent.headers.authorization === 'Bearer token-1'
          ? { status: 401, body: { responseCode: `40127${which}` } }
          : accepted(sent)
      await snap.charge(account, order())
      expect(acquirer.tokens).toHaveLength(2)
      expect(acquirer.calls).toHaveLength(2)
      expect(acquirer.calls[1]?.headers['x-external-id']).toBe(acquirer.calls[0]?.headers['x-external-id'])
      expect(acquirer.calls[1]?.body).toEqual(acquirer.calls[0]?.body)
    },
  )

  test('a charge whose access token is rejected twice fails as unavailable', async () => {
    acquirer.answer = () => ({ status: 401, body: { responseCode: '4012701' } })
    expect(await kindOf(snap.charge(account, order()))).toBe('unavailable')
    expect(acquirer.calls).toHaveLength(2)
  })

  test.each([
    ['a refusal', { status: 401, body: { responseCode: '4017300' } }],
    ['a failure', { status: 500, body: { responseCode: '5007300' } }],
    ['no token', { body: { responseCode: '2007300' } }],
    ['no JSON', { body: 'OK' }],
    ['a broken connection', 'hang up'],
  ] as const)(
    'a failed token request (%s) is not cached, so the next charge requests a token again',
    async (_, told) => {
      const issued = acquirer.token
      acquirer.token = () => told
      expect(await kindOf(snap.charge(account, order()))).toBe('unavailable')
      expect(await kindOf(snap.inquire(account, inquiry()))).toBe('unavailable')
      expect(acquirer.calls).toHaveLength(0)
      acquirer.token = issued
      acquirer.answer = accepted
      await snap.charge(account, order())
      await snap.inquire(account, inquiry()).catch(() => {})
      expect(acquirer.calls).toHaveLength(2)
    },
  )

  test("if an inquiry's access token is rejected, the inquiry is sent again with a new token", async () => {
    acquirer.answer = ({ headers }) =>
      headers.authorization === 'Bearer token-1'
        ? { status: 401, body: { responseCode: '4015101' } }
        : { status: 404, body: { responseCode: '4045101' } }
    expect(await snap.inquire(account, inquiry('qris'))).toBe('absent')
    expect(acquirer.tokens).toHaveLength(2)
  })

  test("a charge is not repeated with a new access token after the charge's deadline", async () => {
    acquirer.answer = () => ({ status: 401, body: { responseCode: '4012701' } })
    const now = performance.now()
    const clock = vi.spyOn(performance, 'now')
    const issued = acquirer.token
    acquirer.token = () => {
      if (acquirer.tokens.length === 2) clock.mockReturnValue(now + 60_000)
      return issued()
    }
    expect(await kindOf(snap.charge(account, order()))).toBe('unavailable')
    clock.mockRestore()
    expect(acquirer.tokens).toHaveLength(2)
    expect(acquirer.calls).toHaveLength(1)
  })

  test("if the acquirer rejects a charge's access token after the charge's deadline, the adapter requests no new token", async () => {
    const now = performance.now()
    const clock = vi.spyOn(performance, 'now')
    acquirer.answer = () => {
      clock.mockReturnValue(now + 60_000)
      return { status: 401, body: { responseCode: '4012701' } }
    }
    expect(await kindOf(snap.charge(account, order()))).toBe('unavailable')
    clock.mockRestore()
    expect(acquirer.tokens).toHaveLength(1)
    expect(acquirer.calls).toHaveLength(1)
  })

  test("if an access token arrives only after the charge's deadline, the token is not used for this charge", async () => {
    acquirer.answer = accepted
    const now = performance.now()
    const clock = vi.spyOn(performance, 'now')
    acquirer.token = () => {
      clock.mockReturnValue(now + 60_000)
      return { body: { accessToken: 'late' } }
    }
    expect(await kindOf(snap.charge(account, order()))).toBe('unavailable')
    clock.mockRestore()
    expect(acquirer.calls).toHaveLength(0)
  })
})
