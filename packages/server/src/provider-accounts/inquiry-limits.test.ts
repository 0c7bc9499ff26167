import { describe, expect, test } from 'vitest'
import { inquiryLimits } from './inquiry-limits.ts'

const account = { id: 'a', mode: 'live' as const, baseUrl: null }
const bounds = { perMinute: { live: 600, test: 60 } }

function limitsFor({ workers = 1 } = {}) {
  let nowMs = Date.parse('2026-11-20T03:04:05Z')
  const limits = inquiryLimits(() => new Date(nowMs))
  limits.setWorkers(workers)
  return {
    limits,
    advance: (seconds: number) => {
      nowMs += seconds * 1_000
    },
    takeAll: (of: typeof account | (Omit<typeof account, 'mode'> & { mode: 'test' }) = account) => {
      let taken = 0
      while (taken < 10_000 && limits.take(of, bounds, 'sweep')) taken += 1
      return taken
    },
  }
}

describe('status inquiries are rate-limited per provider account', () => {
  test('after an initial burst, the scheduled inquiries about pending payments use only half of the inquiries that the provider allows per minute', () => {
    const { takeAll, advance } = limitsFor()
    takeAll()
    let inAMinute = 0
    for (let second = 0; second < 60; second += 1) {
      advance(1)
      inAMinute += takeAll()
    }
    expect(inAMinute).toBe(300)
  })

  test('after a period without inquiries, payment checks may send as many inquiries at once as they may otherwise send in ten seconds', () => {
    const { takeAll, advance } = limitsFor()
    expect(takeAll()).toBe(50)
    advance(3_600)
    expect(takeAll()).toBe(50)
    expect(takeAll({ ...account, id: 'b', mode: 'test' })).toBe(5)
  })

  test('the daily reconciliation uses only inquiries that the regular payment checks do not need, and leaves half of the maximum burst to these checks', () => {
    const { limits, takeAll, advance } = limitsFor()
    let taken = 0
    while (taken < 10_000 && limits.take(account, bounds, 'reconciliation')) taken += 1
    expect(taken).toBe(26)
    expect(takeAll()).toBe(24)
    advance(4)
    expect(limits.take(account, bounds, 'reconciliation')).toBe(false)
    advance(1)
    expect(limits.take(account, bounds, 'reconciliation')).toBe(true)
  })

  test("the regular checks of pending payments in all worker processes share a provider account's inquiry limit", () => {
    expect(limitsFor({ workers: 5 }).takeAll()).toBe(10)
  })

  test("status inquiries are not limited if the account uses its own base URL instead of the provider's, or if the provider has no limit", () => {
    const { limits, takeAll } = limitsFor()
    expect(takeAll({ ...account, baseUrl: 'http://127.0.0.1:1' } as never)).toBe(10_000)
    expect(limits.take(account, undefined, 'sweep')).toBe(true)
  })

  test('for each account that has sent inquiries, the limiter returns how many inquiries the regular payment checks may send now', () => {
    const { limits, advance } = limitsFor()
    expect(limits.availableOfAccounts()).toEqual([])
    for (let n = 0; n < 50; n += 1) limits.take(account, bounds, 'sweep')
    expect(limits.availableOfAccounts()).toEqual([{ accountId: 'a', room: 0 }])
    advance(2)
    expect(limits.availableOfAccounts()).toEqual([{ accountId: 'a', room: 10 }])
  })

  test("a provider account's status inquiries can be paused for a given time", () => {
    const { limits, advance } = limitsFor()
    limits.pause('a', 30_000)
    expect(limits.pausedUntil('b')).toBeNull()
    expect(limits.pausedUntil('a')).not.toBeNull()
    advance(30)
    expect(limits.pausedUntil('a')).toBeNull()
  })

  test("periodic status inquiries and inquiries after callbacks together stay below the provider's limit in every minute", () => {
    const { limits, takeAll, advance } = limitsFor()
    const takeOfCallbacks = () => {
      let taken = 0
      while (limits.take(account, bounds, 'callbacks')) taken += 1
      return taken
    }
    let together = takeAll()
    expect(together).toBe(50)
    const own = takeOfCallbacks()
    expect(own).toBe(35)
    together += own
    for (let second = 1; second < 60; second += 1) {
      advance(1)
      together += takeAll() + takeOfCallbacks()
    }
    expect(together).toBeLessThanOrEqual(600)
  })
})
