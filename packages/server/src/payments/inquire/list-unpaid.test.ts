// Tests that one request for a provider's list of unpaid payments replaces separate status inquiries for many
// payments.

import { beforeEach, describe, expect, test } from 'vitest'
import { testDatabase } from '../../../test/support/database.ts'
import { insertPendingPayment, later, makePayment, makeTenant, now } from '../../../test/support/make.ts'
import { recordingApp } from '../../../test/support/recording-app.ts'
import { inquiryLimits } from '../../provider-accounts/inquiry-limits.ts'
import { type Inquiry, RateLimitedError } from '../../providers/provider.ts'
import { newId } from '../../values/id.ts'
import { nextInquiryOfPending } from '../inquiry-schedule.ts'
import { findPaymentInBatch, insertPaymentInBatch } from '../payment.sql.ts'
import type { Payment } from '../payment.ts'
import { duePaymentSweep } from './sweep-due-payments.ts'

const { db } = await testDatabase()
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

let { app, state } = recordingApp(db)
let limits = inquiryLimits(app.clock)
let tenantId: string
let providerAccountId: string
let asked: string[]
let listed: string[][]
beforeEach(async () => {
  await db.raw('update payments set next_check_at = null')
  ;({ app, state } = recordingApp(db))
  limits = inquiryLimits(app.clock)
  tenantId = await makeTenant(db)
  providerAccountId = newId()
  asked = []
  listed = []
  state.provider = {
    inquire: async (_: unknown, { reference }: Inquiry) => {
      asked.push(reference)
      return { reference, providerPaymentId: 'p-1', fact: { type: 'pending' } }
    },
  }
})

async function unknownPayment(): Promise<Payment> {
  const payment = makePayment({
    ...{ tenantId, providerAccountId, status: 'unknown', transitionCount: 0, methodData: null },
    ...{ providerPaymentId: null, nextCheckAt: now },
  })
  await insertPaymentInBatch(db, payment)
  return payment
}
const nextCheckOf = async ({ id }: Payment) => (await findPaymentInBatch(db, tenantId, id, null))?.nextCheckAt
async function checkAt(ms: number): Promise<void> {
  state.at = later(ms)
  const checks = duePaymentSweep(app, limits)
  await checks.begin()
  await checks.ended()
}

describe("five or more due payments of an account are looked up together in the provider's list of unpaid payments", () => {
  beforeEach(() => {
    state.provider.listUnpaid = async (_: unknown, inquiries: Inquiry[]) => {
      listed.push(inquiries.map(({ reference }) => reference).sort())
      return new Set(inquiries.map(({ reference }) => reference))
    }
  })
  async function due(count: number, overrides: Partial<Payment> = {}): Promise<Payment[]> {
    const payments = await Promise.all(
      Array.from({ length: count }, () =>
        insertPendingPayment(db, { tenantId, providerAccountId, ...overrides }),
      ),
    )
    for (const { id } of payments)
      await db.raw('update payments set next_check_at = ? where id = ?', [now, id])
    return payments
  }
  const codes = (payments: Payment[]) => payments.map(({ paymentCode }) => paymentCode).sort()

  test('one request for the list of unpaid payments replaces separate inquiries about five due payments', async () => {
    const payments = await due(5)
    await checkAt(23 * MINUTE_MS)
    expect(listed).toEqual([codes(payments)])
    expect(asked).toEqual([])
    const [first] = payments as [Payment]
    expect(await nextCheckOf(first)).toEqual(nextInquiryOfPending(first, later(23 * MINUTE_MS)))
  })

  test("with only four due payments at an account, the provider's list of unpaid payments is not requested", async () => {
    await due(4)
    await due(4, { providerAccountId: newId() })
    await checkAt(20 * MINUTE_MS)
    expect(listed).toEqual([])
    expect(asked).toHaveLength(8)
  })

  test("the provider's list is used only for pending payments under a day old that do not expire soon", async () => {
    const minutes = (count: number) => ({ expiresAt: later(count * MINUTE_MS), expiryMinutes: 60 })
    const counted = await due(5, { ...minutes(23) })
    const expiring = await due(1, { ...minutes(22) })
    const old = await due(1, { expiresAt: later(HOUR_MS), expiryMinutes: 60 + 24 * 60 - 20 })
    const unknown = await unknownPayment()
    await checkAt(20 * MINUTE_MS)
    expect(listed).toEqual([codes(counted)])
    expect([...asked].sort()).toEqual(codes([...expiring, ...old, unknown]))
  })

  test('the provider’s list of unpaid payments is not requested while inquiries for the account are paused', async () => {
    await due(5)
    state.at = later(20 * MINUTE_MS)
    limits.pause(providerAccountId, MINUTE_MS)
    await checkAt(20 * MINUTE_MS)
    expect(listed).toEqual([])
  })

  test("if the provider's rate limit rejects the list request, the account's status inquiries are paused too", async () => {
    state.provider.listUnpaid = async () => {
      throw new RateLimitedError(7 * MINUTE_MS)
    }
    await due(5)
    await checkAt(20 * MINUTE_MS)
    expect(limits.pausedUntil(providerAccountId)).toEqual(later(27 * MINUTE_MS))
    expect(asked).toEqual([])
  })
})
