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
  test("after an initial burst, scheduled inquiries use only 45 percent of the provider's limit per minute", () => {
    const { takeAll, advance } = limitsFor()
    takeAll()
    let inAMinute = 0
    for (let second = 0; second < 60; second += 1) {
      advance(1)
      inAMinute += takeAll()
    }
    expect(inAMinute).toBe(270)
  })

  test("after a period without inquiries, payment checks may send ten seconds' worth of inquiries at once", () => {
    const { takeAll, advance } = limitsFor()
    expect(takeAll()).toBe(45)
    advance(3_600)
    expect(takeAll()).toBe(45)
    expect(takeAll({ ...account, id: 'b', mode: 'test' })).toBe(4)
  })

  test('the daily reconciliation uses only inquiries that the regular payment checks do not need', () => {
    const { limits, takeAll, advance } = limitsFor()
    let taken = 0
    while (taken < 10_000 && limits.take(account, bounds, 'reconciliation')) taken += 1
    expect(taken).toBe(23)
    expect(takeAll()).toBe(22)
    advance(4)
    expect(limits.take(account, bounds, 'reconciliation')).toBe(false)
    advance(1)
    expect(limits.take(account, bounds, 'reconciliation')).toBe(true)
  })

  test("the regular checks of pending payments in all worker processes share a provider account's inquiry limit", () => {
    expect(limitsFor({ workers: 5 }).takeAll()).toBe(9)
  })

  test('status inquiries are not limited for an account with its own base URL or a provider without a limit', () => {
    const { limits, takeAll } = limitsFor()
    expect(takeAll({ ...account, baseUrl: 'http://127.0.0.1:1' } as never)).toBe(10_000)
    expect(limits.take(account, undefined, 'sweep')).toBe(true)
  })

  test('for each account that has sent inquiries, the limiter returns how many more may be sent now', () => {
    const { limits, advance } = limitsFor()
    expect(limits.availableOfAccounts('sweep')).toEqual([])
    for (let n = 0; n < 45; n += 1) limits.take(account, bounds, 'sweep')
    limits.take(account, bounds, 'refunds')
    expect(limits.availableOfAccounts('sweep')).toEqual([{ accountId: 'a', room: 0 }])
    expect(limits.availableOfAccounts('refunds')).toEqual([{ accountId: 'a', room: 4 }])
    advance(2)
    expect(limits.availableOfAccounts('sweep')).toEqual([{ accountId: 'a', room: 9 }])
    expect(limits.availableOfAccounts('refunds')).toEqual([{ accountId: 'a', room: 5 }])
  })

  test("a provider account's status inquiries can be paused for a given time", () => {
    const { limits, advance } = limitsFor()
    limits.pause('a', 30_000)
    expect(limits.pausedUntil('b')).toBeNull()
    expect(limits.pausedUntil('a')).not.toBeNull()
    advance(30)
    expect(limits.pausedUntil('a')).toBeNull()
  })

  test('inquiries about refunds can be sent although the regular payment checks have used their whole share', () => {
    const { limits, takeAll } = limitsFor()
    takeAll()
    expect(limits.take(account, bounds, 'refunds')).toBe(true)
  })

  test("periodic status inquiries, inquiries after callbacks and inquiries about refunds together stay below the provider's limit in every minute", () => {
    const { limits, takeAll, advance } = limitsFor()
    const takeOthers = (purpose: 'callbacks' | 'refunds') => {
      let taken = 0
      while (limits.take(account, bounds, purpose)) taken += 1
      return taken
    }
    const first = [takeAll(), takeOthers('callbacks'), takeOthers('refunds')]
    expect(first).toEqual([45, 35, 5])
    let together = 85
    for (let second = 1; second < 60; second += 1) {
      advance(1)
      together += takeAll() + takeOthers('callbacks') + takeOthers('refunds')
    }
    expect(together).toBeLessThanOrEqual(600)
  })
})
