import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { rupiah } from '../values/money.ts'
import { after, wibClock } from '../values/time.ts'
import { brokenRefundRule, type RefundAttempt, type RefundTerms } from './refund-terms.ts'
import { providers } from './registry.ts'

const paidAt = new Date('2026-11-20T03:00:00Z')
const attempt = (overrides: Partial<RefundAttempt> = {}): RefundAttempt => ({
  amount: rupiah(100_000),
  amountPaid: rupiah(100_000),
  refunded: 0n,
  refunds: 0,
  paidAt,
  at: after(paidAt, 3_600_000),
  ...overrides,
})
const days = (count: number) => count * 24 * 3_600_000
const wib = (time: string) => new Date(`2026-11-20T${time}+07:00`)

describe('refund terms of channels', () => {
  test('a channel without refund terms allows no refunds', () => {
    expect(brokenRefundRule(undefined, attempt())).toEqual({ rule: 'no_refunds' })
  })

  test.each<[string, RefundTerms, Partial<RefundAttempt>, object | undefined]>([
    ['a refund of the whole amount paid', { amounts: 'full' }, {}, undefined],
    [
      'a refund of a part of the amount paid',
      { amounts: 'full' },
      { amount: rupiah(99_999) },
      { rule: 'full_only', amount: rupiah(100_000) },
    ],
    [
      'a refund of the remaining amount after a refund made at the provider',
      { amounts: 'full' },
      { refunded: rupiah(1), refunds: 1 },
      { rule: 'full_only', amount: rupiah(100_000) },
    ],
  ])(
    'a channel without partial refunds allows only a refund of the whole amount paid: %s',
    (_, terms, overrides, expected) => {
      expect(brokenRefundRule(terms, attempt(overrides))).toEqual(expected)
    },
  )

  test('if the refund terms limit the number of refunds per payment, an additional refund is forbidden', () => {
    const terms: RefundTerms = { amounts: 'partial', maxRefunds: 1 }
    const part = { amount: rupiah(10_000) }
    expect(brokenRefundRule(terms, attempt(part))).toBeUndefined()
    expect(brokenRefundRule(terms, attempt({ ...part, refunded: rupiah(10_000), refunds: 1 }))).toEqual({
      rule: 'max_refunds',
      max: 1,
    })
  })

  test('a refund is possible until the end of the refund window (a number of days after the payment)', () => {
    const terms: RefundTerms = { amounts: 'partial', windowDays: 7 }
    const endedAt = after(paidAt, days(7))
    expect(brokenRefundRule(terms, attempt({ at: after(endedAt, -1) }))).toBeUndefined()
    expect(brokenRefundRule(terms, attempt({ at: endedAt }))).toEqual({ rule: 'window', days: 7, endedAt })
  })

  test.each([
    ['05:59:59', '2026-11-20T06:00:00+07:00'],
    ['06:00:00', undefined],
    ['23:29:59', undefined],
    ['23:30:00', '2026-11-21T06:00:00+07:00'],
    ['23:59:59', '2026-11-21T06:00:00+07:00'],
    ['00:00:00', '2026-11-20T06:00:00+07:00'],
  ])(
    'if refunds are allowed from 06:00 to 23:30 in Jakarta, a refund at %s must wait until %s (undefined if the refund need not wait)',
    (time, opensAt) => {
      const hours = { from: '06:00', to: '23:30' } as const
      const broken = brokenRefundRule({ amounts: 'partial', hours }, attempt({ at: wib(time) }))
      expect(broken).toEqual(opensAt && { rule: 'hours', ...hours, opensAt: new Date(opensAt) })
    },
  )

  test('a refund is rejected if it is below the minimum amount or includes a fraction of a rupiah', () => {
    const terms: RefundTerms = { amounts: 'partial', minAmount: rupiah(1_000) }
    expect(brokenRefundRule(terms, attempt({ amount: rupiah(999) }))).toEqual({
      rule: 'min_amount',
      min: rupiah(1_000),
    })
    expect(brokenRefundRule(terms, attempt({ amount: rupiah(1_000) }))).toBeUndefined()
    expect(brokenRefundRule(terms, attempt({ amount: 150_001n }))).toEqual({ rule: 'whole_rupiah' })
  })

  test('the error of a refund that is never possible names the permanent rule, whatever the time', () => {
    const hours = { from: '06:00', to: '23:30' } as const
    const terms: RefundTerms = { amounts: 'full', hours }
    const broken = brokenRefundRule(terms, attempt({ at: wib('02:00:00'), amount: rupiah(1) }))
    expect(broken).toMatchObject({ rule: 'full_only' })
  })
})

const minute = fc
  .integer({ min: 0, max: 24 * 60 - 1 })
  .map(
    minutes =>
      `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}` as const,
  )
const terms: fc.Arbitrary<RefundTerms> = fc.record(
  {
    amounts: fc.constantFrom('full', 'partial'),
    maxRefunds: fc.integer({ min: 1, max: 3 }),
    windowDays: fc.integer({ min: 1, max: 400 }),
    hours: fc
      .tuple(minute, minute)
      .filter(([from, to]) => from < to)
      .map(([from, to]) => ({ from, to })),
    minAmount: fc.bigInt({ min: 1n, max: 10_000_000n }),
  },
  { requiredKeys: ['amounts'] },
) as fc.Arbitrary<RefundTerms>
const attempts = fc
  .record({
    amount: fc.bigInt({ min: 1n, max: 20_000_000n }),
    amountPaid: fc.bigInt({ min: 1n, max: 20_000_000n }),
    refunds: fc.integer({ min: 0, max: 4 }),
    delayMs: fc.integer({ min: 0, max: days(500) }),
  })
  .map(({ delayMs, ...each }) =>
    attempt({ ...each, refunded: each.refunds === 0 ? 0n : 1n, at: after(paidAt, delayMs) }),
  )

describe('properties of refund terms', () => {
  test("a refund that a channel's terms allow is still allowed if one limit is removed", () => {
    fc.assert(
      fc.property(
        terms,
        attempts,
        fc.constantFrom('maxRefunds', 'windowDays', 'hours', 'minAmount'),
        (narrow, asked, field) => {
          const { [field]: _, ...wide } = narrow
          if (brokenRefundRule(narrow, asked) === undefined)
            expect(brokenRefundRule(wide as RefundTerms, asked)).toBeUndefined()
        },
      ),
    )
  })

  test('a refund forbidden only by the time of day is allowed at opensAt within the refund window', () => {
    fc.assert(
      fc.property(terms, attempts, (narrow, asked) => {
        const broken = brokenRefundRule(narrow, asked)
        if (broken?.rule !== 'hours') return
        const { opensAt } = broken
        expect(opensAt.getTime()).toBeGreaterThan(asked.at.getTime())
        expect(opensAt.getTime()).toBeLessThanOrEqual(after(asked.at, days(1)).getTime())
        expect(wibClock(opensAt).slice(11, 16)).toBe(narrow.hours?.from)
        const then = brokenRefundRule(narrow, { ...asked, at: opensAt })
        expect([undefined, 'window']).toContain(then?.rule)
      }),
    )
  })
})

test('only providers that support refunds have channels with refund terms, and these terms are consistent', () => {
  for (const { code, methods, refunds } of providers.values()) {
    const channels = methods.flatMap(method => method.channels)
    expect([code, channels.some(({ refund }) => refund)]).toEqual([code, refunds !== undefined])
    for (const { refund } of channels) {
      if (!refund) continue
      expect(refund.windowDays ?? 1).toBeGreaterThan(0)
      expect(refund.maxRefunds ?? 1).toBeGreaterThan(0)
      if (refund.hours) expect(refund.hours.from < refund.hours.to).toBe(true)
      // If a channel allows only full refunds, a payment can have at most one refund, so the channel has no
      // `maxRefunds`.
      if (refund.amounts === 'full') expect(refund.maxRefunds).toBeUndefined()
    }
  }
})

test('no provider can refund virtual account and store payments', () => {
  for (const { methods } of providers.values())
    for (const { type, channels } of methods)
      if (type === 'virtual_account' || type === 'over_the_counter')
        expect(channels.filter(({ refund }) => refund)).toEqual([])
})
