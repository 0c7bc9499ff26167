import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { later, now } from '../../test/support/make-payment.ts'
import {
  CHALLENGED_POLLED_FOR_MS,
  LAST_BEFORE_EXPIRY_MS,
  nextInquiryOfChallenged,
  nextInquiryOfPending,
} from './inquiry-schedule.ts'
import { methodTypes } from './method.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const withoutJitter = '01990000-0000-7000-8000-000000000000'

const paymentFor = (expiryMinutes: number, methodType: (typeof methodTypes)[number], id = withoutJitter) => ({
  id,
  methodType,
  expiryMinutes,
  expiresAt: later(expiryMinutes * MINUTE_MS),
})

/**
 * Returns the times of the inquiries about a payment, in minutes after its creation. The times assume that each
 * inquiry is sent on time and that the payment stays unpaid.
 */
function inquiriesOf(payment: ReturnType<typeof paymentFor>): number[] {
  const minutes: number[] = []
  for (let at = now; at < payment.expiresAt; ) {
    at = nextInquiryOfPending(payment, at)
    minutes.push((at.getTime() - now.getTime()) / MINUTE_MS)
  }
  return minutes
}

const payments = fc
  .record({
    expiryMinutes: fc.integer({ min: 2, max: 43_200 }),
    methodType: fc.constantFrom(...methodTypes),
    id: fc.uuid({ version: 7 }),
  })
  .map(({ expiryMinutes, methodType, id }) => paymentFor(expiryMinutes, methodType, id))
const msAfterCreation = fc.integer({ min: -HOUR_MS, max: 60 * 24 * HOUR_MS })

describe('a pending payment is polled on a schedule that depends on its expiry', () => {
  test.each(['virtual_account', 'over_the_counter'] as const)(
    'if a payment by %s expires after an hour, it is polled after 2, 5, 10, 20, 40, 59 and 60 minutes while it is pending',
    method => {
      expect(inquiriesOf(paymentFor(60, method))).toEqual([2, 5, 10, 20, 40, 59, 60])
    },
  )

  test.each(['qris', 'e_wallet'] as const)(
    'if a payment by %s expires after an hour, it is polled after 1, 2, 4, 8, 15, 30, 59 and 60 minutes while it is pending',
    method => {
      expect(inquiriesOf(paymentFor(60, method))).toEqual([1, 2, 4, 8, 15, 30, 59, 60])
    },
  )

  test('a payment that expires after 30 days is polled hourly on the first day and then every six hours', () => {
    const minutes = inquiriesOf(paymentFor(43_200, 'virtual_account'))
    expect(minutes.slice(0, 8)).toEqual([2, 5, 10, 20, 40, 60, 120, 180])
    expect(minutes.slice(28, 31)).toEqual([24 * 60, 30 * 60, 36 * 60])
    expect(minutes.slice(-3)).toEqual([43_200 - 360, 43_199, 43_200])
    expect(minutes).toHaveLength(146)
  })

  test('a pending payment is polled at least one minute before its expiry, and again at its expiry', () => {
    fc.assert(
      fc.property(payments, msAfterCreation, (payment, ms) => {
        const at = later(ms)
        const next = nextInquiryOfPending(payment, at)
        if (at >= payment.expiresAt) {
          expect(next).toEqual(at)
          return
        }
        expect(next.getTime()).toBeGreaterThan(at.getTime())
        const last = payment.expiresAt.getTime() - LAST_BEFORE_EXPIRY_MS
        expect(next.getTime()).toBeLessThanOrEqual(at.getTime() < last ? last : payment.expiresAt.getTime())
      }),
    )
  })

  test('a late status inquiry about a pending payment never moves the following inquiry to an earlier time', () => {
    fc.assert(
      fc.property(payments, msAfterCreation, fc.nat(HOUR_MS), (payment, ms, moreMs) => {
        const [first, second] = [later(ms), later(ms + moreMs)]
        expect(nextInquiryOfPending(payment, second).getTime()).toBeGreaterThanOrEqual(
          nextInquiryOfPending(payment, first).getTime(),
        )
      }),
    )
  })

  test('a pending payment is polled at most 147 times, once at each step of its inquiry schedule', () => {
    // With this ID, the payment gets a random delay that causes rounding errors: the computed inquiry times
    // are slightly too early.
    const rounded = paymentFor(37_405, 'e_wallet', '01990000-0000-7000-8000-00006a498000')
    fc.assert(
      fc.property(payments, payment => {
        const minutes = inquiriesOf(payment)
        expect(minutes.length).toBeLessThanOrEqual(147)
        // The intervals before the last two inquiries are not checked. The inquiry a minute before the expiry may
        // follow the previous inquiry after less than a minute.
        const steps = minutes.slice(0, -2)
        for (const [index, minute] of steps.entries())
          expect(minute - (steps[index - 1] ?? 0)).toBeGreaterThanOrEqual(1)
      }),
      { examples: [[rounded]] },
    )
  })

  test('two payments created at the same moment are polled at different times, because each has a random delay', () => {
    const firstOf = (id: string) => nextInquiryOfPending(paymentFor(60, 'virtual_account', id), now)
    expect(firstOf('01990000-0000-7000-8000-000000800000').getTime()).toBe(
      firstOf(withoutJitter).getTime() + 6_000,
    )
  })
})

describe('challenged payments (held for review) follow a separate inquiry schedule', () => {
  test('a challenged payment (held for review) is polled at growing intervals for 30 days', () => {
    const minutes: number[] = []
    for (let at: Date | null = now; at !== null; ) {
      at = nextInquiryOfChallenged({ id: withoutJitter }, now, at)
      if (at !== null) minutes.push((at.getTime() - now.getTime()) / MINUTE_MS)
    }
    expect(minutes.slice(0, 5)).toEqual([5, 15, 30, 60, 120])
    expect(minutes.at(-1)).toBe(CHALLENGED_POLLED_FOR_MS / MINUTE_MS)
    expect(minutes).toHaveLength(3 + 24 + 116)
  })
})

test('a rounding error in the computed time does not send a scheduled inquiry twice', () => {
  // For this payment, a rounding error makes the computed time of the inquiry after 120 s slightly too early.
  const payment = paymentFor(60, 'virtual_account', '01990000-0000-7000-8000-000000100000')
  const first = nextInquiryOfPending(payment, now)
  expect(nextInquiryOfPending(payment, first).getTime()).toBeGreaterThan(first.getTime())
})

test('if a random delay moves an inquiry to a later time, the inquiry stays scheduled until that time', () => {
  const payment = paymentFor(60, 'virtual_account', '01990000-0000-7000-8000-ffffffffffff')
  // This payment's ID gives it the longest random delay, 10 %. The inquiry at 120 seconds is therefore due at 132.
  const next = nextInquiryOfPending(payment, later(131_000))
  expect(Math.round((next.getTime() - now.getTime()) / 1_000)).toBe(132)
})
