import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Caller } from '../../api/context.ts'
import type { GatewayError } from '../../faults/errors.ts'
import { fault } from '../../faults/fault.ts'
import { defaultLimits, type Limits } from '../../limits/limits.ts'
import type { Tier } from '../../tenants/tenant.ts'
import { rateLimit } from './rate-limit.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'Date', 'hrtime'] }))
afterEach(() => void vi.useRealTimers())

const callerOf = (tier: Tier, keyId = 'key', limits: Limits = defaultLimits[tier]): Caller => ({
  kind: 'api_key',
  tenantId: 'tenant',
  role: 'client',
  mode: 'test',
  tier,
  limits,
  keyId,
  isSessionKey: false,
  scopes: [],
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
] as const)(
  "responses to requests with an API key of the tier %s have headers with the key's rate-limit policy and remaining rate-limit tokens",
  (tier, policy, standing) => {
    expect(limits()(callerOf(tier)).headers).toEqual({ 'RateLimit-Policy': policy, RateLimit: standing })
  },
)

test('an API key over its rate limit gets 429 with the time until its next request is allowed', () => {
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

test('each call in a batch request counts toward the rate limit, and batches over the limit are rejected', () => {
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

test('if a caller exceeds its rate limit for an hour, about the hourly limit of requests is accepted', () => {
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

test("a dashboard user's rate limit is independent of the limits of other users and of API keys", () => {
  const call = limits()
  const userOf = (userId: string): Caller => {
    const { tenantId, role, tier, limits } = callerOf('starter')
    const session = { permissions: ['admin' as const], sessionId: userId, hasSecondFactor: false }
    return {
      ...{ kind: 'user', tenantId, role, tier, limits, userId, ...session },
      ...{ partnerId: null, provenAt: null, mustEnrol: false },
    }
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

test('responses to unauthenticated requests have no rate-limit headers', () => {
  const call = limits()
  for (let sent = 0; sent < 200; sent++)
    expect(call(fault('credential_missing'))).toEqual({ headers: {}, error: undefined })
})

describe('when a rate limit changes, each token bucket stays filled to the same percentage', () => {
  const limitsOf = (requestsPerSecond: number, burstSeconds: number): Limits => ({
    requestsPerSecond,
    burstSeconds,
    requestsInFlight: 1,
  })
  const headersOf = (call: ReturnType<typeof limits>, set: Limits, calls = 1) =>
    call(callerOf('starter', 'key', set), calls).headers

  test('if a rate limit changes, a half-used burst allowance stays half used', () => {
    const call = limits()
    headersOf(call, limitsOf(50, 2), 50)
    expect(headersOf(call, limitsOf(500, 4), 10)).toEqual({
      'RateLimit-Policy': '"starter";q=2000;w=4',
      RateLimit: '"starter";r=990;t=3',
    })
    expect(headersOf(call, limitsOf(100, 2), 1)).toEqual({
      'RateLimit-Policy': '"starter";q=200;w=2',
      RateLimit: '"starter";r=98;t=2',
    })
  })

  test('if the rate limit changes, an empty token bucket stays empty and then fills at the new rate', () => {
    const call = limits()
    const [slow, fast] = [callerOf('starter'), callerOf('enterprise')]
    call(slow, 100)
    expect(call(fast).error).toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 1 })
    vi.advanceTimersByTime(500)
    expect(call(fast).headers.RateLimit).toBe('"enterprise";r=999;t=2')
  })

  test('if a rate limit changes, a full token bucket stays full', () => {
    const call = limits()
    call(callerOf('enterprise'))
    vi.advanceTimersByTime(1_000)
    expect(headersOf(call, limitsOf(10, 1)).RateLimit).toBe('"starter";r=9;t=1')
  })

  test('if a rate limit changes, tokens for the earlier time are added at the previous rate', () => {
    const call = limits()
    call(callerOf('starter'), 100)
    vi.advanceTimersByTime(1_000)
    expect(headersOf(call, limitsOf(500, 2)).RateLimit).toBe('"starter";r=499;t=2')
  })
})
