// Tests what the sweep, a background job, does with a payment whose check is due. The result depends on the payment's
// status and the provider's response.

import { beforeEach, describe, expect, test, vi } from 'vitest'
import { testDatabase } from '../../../test/support/database.ts'
import { insertPendingPayment, later, makePayment, makeTenant, now } from '../../../test/support/make.ts'
import { recordingApp } from '../../../test/support/recording-app.ts'
import { currentLogFields } from '../../logging/log.ts'
import { inquiryLimits } from '../../provider-accounts/inquiry-limits.ts'
import {
  type Inquiry,
  type InquiryResult,
  ProviderError,
  RateLimitedError,
} from '../../providers/provider.ts'
import { newId } from '../../values/id.ts'
import { nextInquiryOfChallenged, nextInquiryOfPending } from '../inquiry-schedule.ts'
import { findPaymentInBatch, insertPaymentInBatch } from '../payment.sql.ts'
import type { Payment, PaymentEvent } from '../payment.ts'
import { UNCONFIRMED_CHECK_MS } from '../record/transitions.ts'
import { duePaymentSweep } from './sweep-due-payments.ts'

const { db } = await testDatabase()
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

let { app, state } = recordingApp(db)
let limits = inquiryLimits(app.clock)
let tenantId: string
let providerAccountId: string
let asked: string[]
let answer: (inquiry: Inquiry) => Promise<InquiryResult>
beforeEach(async () => {
  await db.raw('update payments set next_check_at = null')
  ;({ app, state } = recordingApp(db))
  limits = inquiryLimits(app.clock)
  tenantId = await makeTenant(db)
  providerAccountId = newId()
  asked = []
  answer = waits
  state.provider = {
    inquire: async (_: unknown, inquiry: Inquiry) => {
      asked.push(inquiry.reference)
      return answer(inquiry)
    },
  }
})

const says =
  (fact: Extract<InquiryResult, object>['fact']) =>
  async ({ reference }: Inquiry): Promise<InquiryResult> => ({ reference, providerPaymentId: 'p-1', fact })
const waits = says({ type: 'pending' })
const fails = async () => {
  throw new ProviderError('unknown', 'no answer within 10 s')
}
const pending = (overrides: Partial<Payment> = {}) =>
  insertPendingPayment(db, { tenantId, providerAccountId, ...overrides })
async function unfinished(
  status: 'charging' | 'unknown',
  overrides: Partial<Payment> = {},
): Promise<Payment> {
  const payment = makePayment({
    ...{ tenantId, providerAccountId, status, transitionCount: 0, methodData: null, providerPaymentId: null },
    ...{ nextCheckAt: now, ...overrides },
  })
  await insertPaymentInBatch(db, payment)
  return payment
}
const happens = ({ id }: Payment, event: PaymentEvent) =>
  app.recordInBatch({ tenantId, paymentId: id, event, cause: 'test' })
/** Makes the payment's next check (status inquiry) due now, whatever its schedule. */
const isDue = ({ id }: Payment) => db.raw('update payments set next_check_at = ? where id = ?', [now, id])
const stored = async ({ id }: Payment): Promise<Payment> =>
  (await findPaymentInBatch(db, tenantId, id, null)) as Payment
const nextCheckOf = async (payment: Payment) => (await stored(payment)).nextCheckAt
const timelineOf = async ({ id }: Payment) =>
  (
    await db.raw(
      'select to_status as "to", cause, detail from payment_transitions where payment_id = ? order by number desc limit 1',
      [id],
    )
  ).rows[0]
async function checkAt(ms: number): Promise<void> {
  state.at = later(ms)
  const checks = duePaymentSweep(app, limits)
  await checks.begin()
  await checks.ended()
}
/**
 * Makes the payment due and runs the background job at `now` plus `ms` milliseconds. Returns the time of the
 * payment's next status inquiry, also in milliseconds after `now`.
 */
async function nextAfter(payment: Payment, ms: number): Promise<number | null> {
  await isDue(payment)
  await checkAt(ms)
  const next = await nextCheckOf(payment)
  return next && next.getTime() - now.getTime()
}

describe('pending payments are polled on their inquiry schedule', () => {
  test('a pending payment is polled again at the next step of its inquiry schedule', async () => {
    const payment = await pending()
    const next = nextInquiryOfPending(payment, later(23 * MINUTE_MS)).getTime() - now.getTime()
    expect(await nextAfter(payment, 23 * MINUTE_MS)).toBe(next)
    expect(next).toBeGreaterThan(28 * MINUTE_MS)
    expect(asked).toEqual([payment.paymentCode])
  })

  test('a pending payment is polled again at most five minutes after an inquiry without a response', async () => {
    answer = fails
    const payment = await pending()
    expect(await nextAfter(payment, 23 * MINUTE_MS)).toBe(28 * MINUTE_MS)
    const soon = nextInquiryOfPending(payment, later(2 * MINUTE_MS)).getTime() - now.getTime()
    expect(soon).toBeLessThan(7 * MINUTE_MS)
    expect(await nextAfter(payment, 2 * MINUTE_MS)).toBe(soon)
  })

  test('a pending payment expires at its expiry time and not before', async () => {
    const payment = await pending()
    await nextAfter(payment, HOUR_MS - 1)
    expect(await stored(payment)).toMatchObject({ status: 'pending' })
    await nextAfter(payment, HOUR_MS)
    expect(await stored(payment)).toMatchObject({ status: 'expired' })
    expect(await timelineOf(payment)).toEqual({ to: 'expired', cause: 'expiry', detail: null })
  })
})

describe('challenged payments (held for review) are polled according to a separate inquiry schedule', () => {
  test('while a payment stays challenged (held for review), its status inquiries follow the schedule for challenged payments', async () => {
    const payment = await pending()
    await happens(payment, { type: 'challenged', reason: 'held' })
    answer = says({ type: 'challenged', reason: 'held' })
    const challenged = await stored(payment)
    const at = 3 * HOUR_MS
    const next = nextInquiryOfChallenged(challenged, challenged.updatedAt, later(at))
    expect(next).not.toBeNull()
    await nextAfter(payment, at)
    expect(await nextCheckOf(payment)).toEqual(next)
  })

  test('if an inquiry changes a payment to challenged (held for review), the status change schedules the next inquiry', async () => {
    const payment = await pending()
    answer = says({ type: 'challenged', reason: 'held' })
    await nextAfter(payment, 20 * MINUTE_MS)
    const challenged = await stored(payment)
    expect(challenged).toMatchObject({ status: 'challenged' })
    expect(challenged.nextCheckAt).toEqual(
      nextInquiryOfChallenged(challenged, challenged.updatedAt, challenged.updatedAt),
    )
  })
})

describe('charges without a response are polled until their outcome is known', () => {
  beforeEach(() => {
    answer = fails
  })

  test('a charge without a response has an unknown outcome after twenty seconds', async () => {
    const payment = await unfinished('charging')
    expect(await nextAfter(payment, 19_999)).toBe(20_000)
    expect(await stored(payment)).toMatchObject({ status: 'charging' })
    expect(await nextAfter(payment, 20_000)).toBe(35_000)
    expect(await stored(payment)).toMatchObject({
      status: 'unknown',
      failureReason: 'the charge was interrupted',
    })
    expect(await timelineOf(payment)).toMatchObject({ cause: 'inquiry' })
  })

  test("a charge without a response counts as in flight until the provider's status API knows new orders", async () => {
    state.provider.inquiryLimits = { earliestSeconds: 60 }
    const payment = await unfinished('charging')
    expect(await nextAfter(payment, 20_000)).toBe(60_000)
    expect(await stored(payment)).toMatchObject({ status: 'charging' })
    await nextAfter(payment, 60_000)
    expect(await stored(payment)).toMatchObject({ status: 'unknown' })
  })

  test.each([
    [5_000, 15_000],
    [15_000, 60_000],
    [59_999, 60_000],
    [60_000, 300_000],
    [300_000, HOUR_MS],
    [HOUR_MS, 2 * HOUR_MS],
    [71 * HOUR_MS, 72 * HOUR_MS],
    [72 * HOUR_MS - 1, 72 * HOUR_MS],
    [72 * HOUR_MS, null],
  ])(
    'if a payment with an unknown charge outcome is polled %i ms after its creation, its next poll is %s ms after its creation',
    async (atMs, nextMs) => {
      expect(await nextAfter(await unfinished('unknown'), atMs)).toBe(nextMs)
    },
  )
})

describe('after a payment is closed, status inquiries continue until its provider responds', () => {
  const ended = async (event: PaymentEvent) => {
    const payment = await pending()
    await happens(payment, event)
    return payment
  }

  test.each<PaymentEvent>([{ type: 'cancelled' }, { type: 'failed', reason: 'deny' }, { type: 'expired' }])(
    'a payment that ended with the event %o is polled hourly until its provider responds, but at most for three days after its expiry',
    async event => {
      const payment = await ended(event)
      answer = fails
      expect(await nextAfter(payment, 2 * HOUR_MS)).toBe(3 * HOUR_MS)
      // The payment expired one hour after its creation. Inquiries continue for 72 hours after that, so they end after
      // 73 hours.
      expect(await nextAfter(payment, 73 * HOUR_MS - 1)).toBe(74 * HOUR_MS - 1)
      expect(await nextAfter(payment, 73 * HOUR_MS)).toBeNull()
      for (answer of [waits, async () => 'not_reported' as const])
        expect(await nextAfter(payment, 2 * HOUR_MS)).toBeNull()
    },
  )

  test("if inquiries are paused for a closed payment's account, the payment's inquiry is retried an hour later", async () => {
    const payment = await ended({ type: 'cancelled' })
    const { accountOf } = app
    app.accountOf = async id => {
      limits.pause(providerAccountId, 7 * MINUTE_MS)
      return accountOf(id)
    }
    expect(await nextAfter(payment, 2 * HOUR_MS)).toBe(3 * HOUR_MS)
    expect(asked).toEqual([])
  })

  test('if a status inquiry closes a payment, one more inquiry is scheduled', async () => {
    const payment = await pending()
    answer = says({ type: 'cancelled' })
    expect(await nextAfter(payment, 20 * MINUTE_MS)).not.toBeNull()
    expect(await stored(payment)).toMatchObject({ status: 'cancelled' })
  })
})

describe('payments with an unconfirmed credit are polled', () => {
  const paid = ({ amount: amountPaid, paymentCode: reference }: Payment) =>
    ({ type: 'paid', amountPaid, paidAt: now, reference }) as const
  test("a credit without the provider's confirmation is checked for three days or until the provider confirms it", async () => {
    const payment = await pending()
    await happens(payment, { ...paid(payment), unconfirmed: 'agreed by phone' })
    expect(await nextAfter(payment, HOUR_MS)).toBe(HOUR_MS + UNCONFIRMED_CHECK_MS)
    expect(await nextAfter(payment, 72 * HOUR_MS - 1)).toBe(72 * HOUR_MS - 1 + UNCONFIRMED_CHECK_MS)
    expect(await nextAfter(payment, 72 * HOUR_MS)).toBeNull()
    answer = says({ ...paid(payment), receipt: 'r-1' })
    await nextAfter(payment, HOUR_MS)
    expect(await stored(payment)).toMatchObject({ unconfirmedSince: null, nextCheckAt: null })
  })

  test('if a callback confirms a credit during an inquiry, at most one more inquiry is sent', async () => {
    const payment = await pending()
    await happens(payment, { ...paid(payment), unconfirmed: 'agreed by phone' })
    answer = async () => {
      await happens(payment, { ...paid(payment), receipt: 'r-1' })
      return fails()
    }
    // This inquiry gets no response, so its check still considers the credit unconfirmed.
    await nextAfter(payment, HOUR_MS)
    expect(await stored(payment)).toMatchObject({ unconfirmedSince: null })
    answer = fails
    expect(await nextAfter(payment, 2 * HOUR_MS)).toBeNull()
    expect(asked).toHaveLength(2)
  })
})

describe('an account that must not be polled gets no status inquiries', () => {
  test("while inquiries to an account are paused, the account's due payments wait until the pause ends", async () => {
    const payment = await pending()
    state.at = later(20 * MINUTE_MS)
    limits.pause(providerAccountId, 7 * MINUTE_MS)
    expect(await nextAfter(payment, 21 * MINUTE_MS)).toBe(27 * MINUTE_MS)
    expect(asked).toEqual([])
  })

  test('while inquiries are paused, pending payments expire on time, and unknown outcomes stay unknown', async () => {
    const [payment, unknown] = [await pending(), await unfinished('unknown', { expiresAt: later(HOUR_MS) })]
    state.at = later(HOUR_MS - 1)
    limits.pause(providerAccountId, 7 * MINUTE_MS)
    await isDue(payment)
    await isDue(unknown)
    await checkAt(HOUR_MS)
    expect(await stored(payment)).toMatchObject({ status: 'expired' })
    expect(await stored(unknown)).toMatchObject({
      status: 'unknown',
      nextCheckAt: later(HOUR_MS + 7 * MINUTE_MS - 1),
    })
    expect(asked).toEqual([])
  })

  test("a payment too new for the provider's inquiry API is polled only if its outcome is unknown", async () => {
    state.provider.inquiryLimits = { earliestSeconds: 60 }
    const [payment, unknown] = [await pending(), await unfinished('unknown')]
    await isDue(payment)
    await checkAt(59_999)
    expect(asked).toEqual([unknown.paymentCode])
    expect(await nextCheckOf(payment)).toEqual(later(60_000))
    await isDue(payment)
    await checkAt(60_000)
    expect(asked).toEqual([unknown.paymentCode, payment.paymentCode])
  })

  test("due payments that exceed the account's inquiry limit are polled in the next run", async () => {
    state.provider.inquiryLimits = { perMinute: { live: 2, test: 2 } }
    const payments = [await pending(), await pending()]
    for (const each of payments) await isDue(each)
    await checkAt(20 * MINUTE_MS)
    expect(asked).toHaveLength(1)
    const waiting = payments.find(({ paymentCode }) => paymentCode !== asked[0]) as Payment
    expect(await nextCheckOf(waiting)).toEqual(later(20 * MINUTE_MS))
  })

  test('an account that has just returned 429 is not polled until the retry time in the response', async () => {
    answer = async () => {
      throw new RateLimitedError(7 * MINUTE_MS)
    }
    const payment = await pending()
    expect(await nextAfter(payment, 23 * MINUTE_MS)).toBe(28 * MINUTE_MS)
    expect(limits.pausedUntil(providerAccountId)).toEqual(later(30 * MINUTE_MS))
  })
})

describe('a payment check that fails with an error is repeated', () => {
  test('a status inquiry that ends with an internal error is repeated when the claim on the payment expires', async () => {
    const error = vi.spyOn(app.log, 'error')
    app.accountOf = async () => undefined as never
    const payment = await pending()
    expect(await nextAfter(payment, 20 * MINUTE_MS)).toBe(20 * MINUTE_MS + 90_000)
    const fault = expect.objectContaining({ message: `there is no provider account ${providerAccountId}` })
    expect(error).toHaveBeenCalledExactlyOnceWith({ err: fault }, 'status check of a payment failed')
  })
})

test("log entries for a status inquiry contain the payment's IDs", async () => {
  const payment = await pending()
  let fields: unknown
  answer = async asking => {
    fields = currentLogFields()
    return waits(asking)
  }
  await nextAfter(payment, 20 * MINUTE_MS)
  const { id: paymentId, paymentCode } = payment
  expect(fields).toMatchObject({ job: 'check_payment', tenantId, paymentId, paymentCode })
})

describe('the background job for due payments starts no more inquiries than its limits allow', () => {
  test('the background job that sends due status inquiries returns whether more payments may be due', async () => {
    const checks = duePaymentSweep(app, limits)
    expect(await checks.begin()).toBe(false)
    await isDue(await pending())
    expect(await checks.begin()).toBe(true)
    await checks.ended()
    expect(await checks.begin()).toBe(false)
  })

  test('no further inquiry starts while the maximum number of inquiries is in flight', async () => {
    const accounts = [newId(), newId(), newId()]
    await Promise.all(
      accounts.flatMap(id =>
        Array.from({ length: 250 }, () => unfinished('unknown', { providerAccountId: id })),
      ),
    )
    const gate = Promise.withResolvers<InquiryResult>()
    answer = () => gate.promise
    const checks = duePaymentSweep(app, limits)
    for (let sweeps = 0; sweeps < 3; sweeps++) await checks.begin()
    await vi.waitUntil(() => asked.length === 500, 120_000)
    expect(await checks.begin()).toBe(false)
    gate.resolve('not_reported')
    await checks.ended()
    expect(asked).toHaveLength(500)
  })

  test("the background job starts only as many payment checks as the account's rate limit allows", async () => {
    state.provider.inquiryLimits = { perMinute: { live: 28, test: 28 } }
    await isDue(await pending())
    const [isAsked, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    answer = async asking => {
      isAsked.resolve()
      await gate.promise
      return waits(asking)
    }
    const checks = duePaymentSweep(app, limits)
    state.at = later(20 * MINUTE_MS)
    await checks.begin()
    await isAsked.promise
    // The account's rate limit allows the background job two inquiries in ten seconds. The job has sent one,
    // so it may send only one more.
    const rest = await Promise.all([1, 2, 3].map(() => pending()))
    for (const each of rest) await isDue(each)
    await checks.begin()
    gate.resolve()
    await checks.ended()
    const left = (await Promise.all(rest.map(nextCheckOf))).filter(next => next?.getTime() === now.getTime())
    expect(left).toHaveLength(2)
    expect(asked).toHaveLength(2)
  })
})
