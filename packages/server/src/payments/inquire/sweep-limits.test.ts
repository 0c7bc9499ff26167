// Tests how the sweep (the job that sends due status inquiries) respects providers' rate limits. Also tests when the
// sweep uses a provider's list of unpaid payments instead of inquiries.

import { beforeEach, describe, expect, test } from 'vitest'
import { testDatabase } from '../../../test/support/database.ts'
import { insertPendingPayment, later, makeTenant, now } from '../../../test/support/make.ts'
import { recordingApp } from '../../../test/support/recording-app.ts'
import { inquiryLimits } from '../../provider-accounts/inquiry-limits.ts'
import {
  type Inquiry,
  type InquiryResult,
  ProviderError,
  RateLimitedError,
} from '../../providers/provider.ts'
import { newId } from '../../values/id.ts'
import { findPaymentInBatch } from '../payment.sql.ts'
import type { Payment } from '../payment.ts'
import { duePaymentSweep } from './sweep-due-payments.ts'

const { db } = await testDatabase()
const MINUTE_MS = 60_000

let asked: string[]
let answer: (inquiry: Inquiry) => Promise<InquiryResult>
let tenantId: string
let providerAccountId: string
beforeEach(async () => {
  await db.raw('update payments set next_check_at = null')
  state.at = now
  asked = []
  answer = stillUnpaid
  state.provider = {
    async inquire(_, inquiry) {
      asked.push(inquiry.reference)
      return answer(inquiry)
    },
  }
  tenantId = await makeTenant(db)
  providerAccountId = newId()
})

const stillUnpaid = async ({ reference }: Inquiry): Promise<InquiryResult> => ({
  reference,
  providerPaymentId: 'p-1',
  fact: { type: 'pending' },
})
const { app, state } = recordingApp(db)

const insertPending = (count: number, overrides: Partial<Payment> = {}): Promise<Payment[]> =>
  Promise.all(
    Array.from({ length: count }, () =>
      insertPendingPayment(db, { tenantId, providerAccountId, ...overrides }),
    ),
  )
const keptOf = async ({ id }: Payment): Promise<Payment> =>
  (await findPaymentInBatch(db, tenantId, id, null)) as Payment

/** Runs the sweep, which sends due status inquiries, once per second for `seconds` seconds, starting at `at`. */
async function sweepFrom(at: Date, seconds = 0): Promise<void> {
  const checks = duePaymentSweep(app)
  for (let second = 0; second <= seconds; second += 1) {
    state.at = new Date(at.getTime() + second * 1_000)
    while (await checks.begin()) await checks.ended()
  }
}

describe('the inquiry limit of a provider account, such as 60 a minute, is respected', () => {
  beforeEach(() => {
    state.provider.inquiryLimits = { perMinute: { live: 60, test: 60 } }
  })

  test('if an account allows 60 inquiries a minute, the background job sends 30 to 35 in the first minute', async () => {
    const payments = await insertPending(60)
    await sweepFrom(later(3 * MINUTE_MS), 60)
    expect(asked.length).toBeGreaterThanOrEqual(30)
    expect(asked.length).toBeLessThanOrEqual(35)
    const checks = duePaymentSweep(app)
    for (let second = 61; second < 180; second += 1) {
      state.at = later(3 * MINUTE_MS + second * 1_000)
      while (await checks.begin()) await checks.ended()
    }
    expect(new Set(asked)).toEqual(new Set(payments.map(payment => payment.paymentCode)))
  })

  test("a limit on one account's status inquiries does not delay the inquiries of other accounts", async () => {
    await insertPending(60)
    const other = await insertPendingPayment(db, { tenantId, providerAccountId: newId() })
    await sweepFrom(later(3 * MINUTE_MS))
    expect(asked).toContain(other.paymentCode)
  })
})

describe('inquiries for an account pause after the provider responds with 429', () => {
  test('after a provider responds with 429, no inquiry is sent for the account until the retry time', async () => {
    const payments = await insertPending(10)
    answer = async () => {
      throw new RateLimitedError(2 * MINUTE_MS)
    }
    const checks = duePaymentSweep(app)
    const sweepAt = async (at: Date) => {
      state.at = at
      while (await checks.begin()) await checks.ended()
    }
    await sweepAt(later(3 * MINUTE_MS))
    const refused = asked.length
    await sweepAt(later(4 * MINUTE_MS))
    expect(asked).toHaveLength(refused)
    answer = stillUnpaid
    asked = []
    await sweepAt(later(9 * MINUTE_MS))
    expect(new Set(asked)).toEqual(new Set(payments.map(payment => payment.paymentCode)))
  })

  test('a payment expires on time even if its provider account responds to inquiries with 429', async () => {
    const [first, second] = (await insertPending(2)) as [Payment, Payment]
    answer = async () => {
      throw new RateLimitedError(60 * MINUTE_MS)
    }
    await sweepFrom(first.expiresAt)
    expect(await Promise.all([first, second].map(keptOf))).toMatchObject([
      { status: 'expired' },
      { status: 'expired' },
    ])
  })

  test('a pending payment expires on time even if inquiries for its account are paused', async () => {
    const [payment] = (await insertPending(1)) as [Payment]
    const limits = inquiryLimits(app.clock)
    const checks = duePaymentSweep(app, limits)
    const sweepBeforeExpiry = async (minutes: number) => {
      state.at = new Date(payment.expiresAt.getTime() - minutes * MINUTE_MS)
      while (await checks.begin()) await checks.ended()
    }
    state.at = new Date(payment.expiresAt.getTime() - 2 * MINUTE_MS)
    limits.pause(providerAccountId, 60 * MINUTE_MS)
    await sweepBeforeExpiry(1)
    expect(await keptOf(payment)).toMatchObject({ status: 'pending' })
    await sweepBeforeExpiry(0)
    expect(await keptOf(payment)).toMatchObject({ status: 'expired' })
    expect(asked).toEqual([])
  })
})

test("the first inquiry waits until the payment is old enough for the provider's inquiry API", async () => {
  state.provider.inquiryLimits = { earliestSeconds: 60 }
  const [payment] = (await insertPending(1)) as [Payment]
  await db.raw('update payments set next_check_at = ? where id = ?', [later(10_000), payment.id])
  await sweepFrom(later(10_000))
  expect(asked).toEqual([])
  expect(await keptOf(payment)).toMatchObject({ nextCheckAt: later(MINUTE_MS) })
  await sweepFrom(later(MINUTE_MS))
  expect(asked).toEqual([payment.paymentCode])
})

test('an inquiry without a response is retried after five minutes and not only at the next scheduled time', async () => {
  const [payment] = (await insertPending(1, {
    // The last digits of the ID determine the payment's random delay. Zeros mean no delay: one inquiry is sent exactly
    // ten days after the start of the charge attempt, and the next one six hours later.
    id: newId().replace(/.{6}$/, '000000'),
    expiryMinutes: 43_200,
    expiresAt: later(43_200 * MINUTE_MS),
  })) as [Payment]
  answer = async () => {
    throw new ProviderError('unavailable', 'could not be reached')
  }
  const tenDays = 10 * 24 * 60 * MINUTE_MS
  await sweepFrom(later(tenDays))
  expect(await keptOf(payment)).toMatchObject({ nextCheckAt: later(tenDays + 5 * MINUTE_MS) })
})

describe("payments found in the provider's list of unpaid payments need no separate inquiries", () => {
  let listed: number[]
  let unpaid: (inquiries: Inquiry[]) => Promise<Set<string>>
  beforeEach(() => {
    listed = []
    unpaid = async inquiries => new Set(inquiries.map(({ reference }) => reference))
    state.provider.listUnpaid = (_, inquiries) => {
      listed.push(inquiries.length)
      return unpaid(inquiries)
    }
  })

  test('a payment that the provider lists as unpaid gets no inquiry until its next scheduled check', async () => {
    const payments = await insertPending(10)
    await sweepFrom(later(3 * MINUTE_MS))
    expect(listed).toEqual([10])
    expect(asked).toEqual([])
    for (const payment of payments)
      expect((await keptOf(payment)).nextCheckAt?.getTime()).toBeGreaterThan(state.at.getTime() + MINUTE_MS)
  })

  test("a payment missing from the provider's list of unpaid payments is polled and becomes paid", async () => {
    const [paid, ...others] = (await insertPending(10)) as [Payment, ...Payment[]]
    unpaid = async () => new Set(others.map(payment => payment.paymentCode))
    answer = async ({ reference, amount }) => ({
      reference,
      providerPaymentId: 'p-1',
      fact: { type: 'paid', amountPaid: amount },
    })
    await sweepFrom(later(3 * MINUTE_MS))
    expect(asked).toEqual([paid.paymentCode])
    expect(await keptOf(paid)).toMatchObject({ status: 'paid' })
  })

  test("if the provider's list of unpaid payments cannot be fetched, every due payment gets an inquiry", async () => {
    await insertPending(10)
    unpaid = async () => {
      throw new ProviderError('unknown', 'no answer within 10 s')
    }
    await sweepFrom(later(3 * MINUTE_MS))
    expect(asked).toHaveLength(10)
  })

  test('if few payments are due or the payments expire soon, each payment is polled individually', async () => {
    await insertPending(4)
    await sweepFrom(later(3 * MINUTE_MS))
    expect(asked).toHaveLength(4)
    const [first] = (await insertPending(10)) as [Payment]
    await sweepFrom(new Date(first.expiresAt.getTime() - MINUTE_MS))
    expect(listed).toEqual([])
    expect(asked).toHaveLength(4 + 14)
  })
})

test('at most 8 payment checks start per turn of the event loop', async () => {
  const startsPerTurn = [0]
  let isCounting = true
  const countTurn = () => {
    startsPerTurn.push(0)
    if (isCounting) setImmediate(countTurn)
  }
  state.provider.inquire = async (_, inquiry) => {
    asked.push(inquiry.reference)
    startsPerTurn[startsPerTurn.length - 1] = (startsPerTurn.at(-1) as number) + 1
    return answer(inquiry)
  }
  await Promise.all([insertPending(30), insertPending(30, { providerAccountId: newId() })])
  setImmediate(countTurn)
  await sweepFrom(later(3 * MINUTE_MS))
  isCounting = false
  expect(asked).toHaveLength(60)
  expect(Math.max(...startsPerTurn)).toBe(8)
})
