import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Caller } from '../api/context.ts'
import { GatewayError } from '../errors.ts'
import type { Tier } from '../tenants/tenant.ts'
import { rateLimit } from './rate-limit.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'Date', 'hrtime'] }))
afterEach(() => void vi.useRealTimers())

const callerOf = (tier: Tier, keyId = 'key'): Caller => ({
  kind: 'api_key',
  tenantId: 'tenant',
  role: 'client',
  mode: 'test',
  tier,
  keyId,
  isOfSession: false,
})

function limits() {
  const limit = rateLimit()
  return (caller: Caller | GatewayError, calls = 1) => {
    const headers: Record<string, string> = {}
    let error: unknown
    try {
      limit(caller, calls, (name, value) => {
        headers[name] = value
      })
    } catch (thrown) {
      error = thrown
    }
    return { headers, error }
  }
}

test.each([
  ['starter', '"starter";q=100;w=2', '"starter";r=99;t=1'],
  ['growth', '"growth";q=400;w=2', '"growth";r=399;t=1'],
  ['enterprise', '"enterprise";q=4000;w=2', '"enterprise";r=3999;t=1'],
] as const)('a key of the tier %s is told its policy and how it stands', (tier, policy, standing) => {
  expect(limits()(callerOf(tier)).headers).toEqual({ 'RateLimit-Policy': policy, RateLimit: standing })
})

test('a key that has used up its tokens is told so, and when there is one again', () => {
  const call = limits()
  const caller = callerOf('starter')
  for (let left = 99; left >= 0; left--) expect(call(caller).headers.RateLimit).toMatch(`;r=${left};`)
  const refused = call(caller)
  expect(refused.error).toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 1 })
  expect(refused.headers).toEqual({
    'RateLimit-Policy': '"starter";q=100;w=2',
    RateLimit: '"starter";r=0;t=2',
  })
  expect(call(callerOf('starter', 'another')).error).toBeUndefined()
  vi.advanceTimersByTime(500)
  expect(call(caller)).toMatchObject({ error: undefined, headers: { RateLimit: '"starter";r=24;t=2' } })
  vi.advanceTimersByTime(2_000)
  expect(call(caller).headers.RateLimit).toBe('"starter";r=99;t=1')
})

test('a request costs as many tokens as it has calls, and is refused as a whole', () => {
  const call = limits()
  const caller = callerOf('starter')
  for (let sent = 0; sent < 9; sent++) call(caller, 10)
  expect(call(caller, 5).headers.RateLimit).toMatch(';r=5;')
  expect(call(caller, 10)).toMatchObject({
    error: { code: 'RATE_LIMITED' },
    headers: { RateLimit: expect.stringMatching(';r=5;') },
  })
  expect(call(caller, 5).error).toBeUndefined()
})

test('what counts for an hour is as much as the rate allows, however the requests are spread', () => {
  const call = limits()
  const caller = callerOf('starter')
  let taken = 0
  for (let second = 0; second < 3_600; second++) {
    for (let sent = 0; sent < 60; sent++) if (call(caller).error === undefined) taken++
    vi.advanceTimersByTime(1_000)
  }
  expect(taken).toBeGreaterThanOrEqual(3_600 * 50)
  expect(taken).toBeLessThanOrEqual(3_601 * 50 + 100)
})

test('a user of the dashboard has a bucket, too, which is none of another user or of a key', () => {
  const call = limits()
  const userOf = (userId: string): Caller => {
    const { tenantId, role, tier } = callerOf('starter')
    return { kind: 'user', tenantId, role, tier, userId }
  }
  for (let sent = 0; sent < 100; sent++) expect(call(userOf('one')).error).toBeUndefined()
  expect(call(userOf('one')).error).toMatchObject({
    code: 'RATE_LIMITED',
    message: expect.stringContaining('this user may send 50 requests a second'),
  })
  for (const other of [userOf('two'), callerOf('starter')])
    expect(call(other)).toEqual({
      headers: { 'RateLimit-Policy': '"starter";q=100;w=2', RateLimit: '"starter";r=99;t=1' },
      error: undefined,
    })
})

test('strangers are told nothing of it', () => {
  const call = limits()
  for (let sent = 0; sent < 200; sent++)
    expect(call(new GatewayError('UNAUTHORIZED', 'who'))).toEqual({ headers: {}, error: undefined })
})

test('a tenant whose tier changes has the new rate from its next request on, up and down', () => {
  const ask = limits()
  for (let n = 0; n < 101; n++) ask(callerOf('starter'))
  expect(ask(callerOf('starter')).error).toMatchObject({ code: 'RATE_LIMITED' })
  expect(ask(callerOf('enterprise'))).toEqual({
    headers: { 'RateLimit-Policy': '"enterprise";q=4000;w=2', RateLimit: '"enterprise";r=3999;t=1' },
    error: undefined,
  })
  const again = Array.from({ length: 101 }, () => ask(callerOf('starter')))
  expect(again.map(({ error }) => error !== undefined)).toEqual([...Array(100).fill(false), true])
})
