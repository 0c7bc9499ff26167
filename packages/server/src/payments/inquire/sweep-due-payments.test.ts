// Tests how the sweep (a background job that sends due status inquiries) handles late, unreadable or missing
// provider responses.

import { expect, test } from 'vitest'
import { testDatabase } from '../../../test/support/database.ts'
import { insertPendingPayment, later, makePayment, makeTenant, now } from '../../../test/support/make.ts'
import { until } from '../../../test/support/merchant.ts'
import { recordingApp } from '../../../test/support/recording-app.ts'
import { listEntriesOfPayment } from '../../ledger/ledger.sql.ts'
import { inquiryLimits } from '../../provider-accounts/inquiry-limits.ts'
import { type Inquiry, type InquiryResult, ProviderError } from '../../providers/provider.ts'
import { newId } from '../../values/id.ts'
import { findPaymentInBatch, insertPaymentInBatch } from '../payment.sql.ts'
import type { Payment, PaymentEvent } from '../payment.ts'
import { duePaymentSweep } from './sweep-due-payments.ts'

const { db } = await testDatabase()
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

let answer: (inquiry: Inquiry) => Promise<InquiryResult> = async () => 'absent'
const { app, state } = recordingApp(db)
state.provider = { inquire: (_: unknown, inquiry: Inquiry) => answer(inquiry) }

async function checkAt(at: Date): Promise<void> {
  state.at = at
  const checks = duePaymentSweep(app)
  while (await checks.begin());
  await checks.ended()
}
const happens = ({ tenantId, id: paymentId }: Payment, event: PaymentEvent) =>
  app.recordInBatch({ tenantId, paymentId, event, cause: 'callback' })
const keptOf = async ({ tenantId, id }: Payment): Promise<Payment> =>
  (await findPaymentInBatch(db, tenantId, id, null)) as Payment

test('if the provider is unavailable when a pending payment expires, status inquiries continue until the provider responds', async () => {
  const payment = await insertPendingPayment(db, { tenantId: await makeTenant(db) })
  answer = async () => {
    throw new ProviderError('unavailable', 'could not be reached')
  }
  await checkAt(payment.expiresAt)
  expect(await keptOf(payment)).toMatchObject({ status: 'expired' })
  await checkAt(later(HOUR_MS + 5 * MINUTE_MS))
  expect(await keptOf(payment)).toMatchObject({ nextCheckAt: later(2 * HOUR_MS + 5 * MINUTE_MS) })

  answer = async ({ reference }) => ({
    reference,
    providerPaymentId: 't-1',
    fact: { type: 'paid', amountPaid: payment.amount, receipt: 't-1' },
  })
  await checkAt(later(2 * HOUR_MS + 5 * MINUTE_MS))
  expect(await keptOf(payment)).toMatchObject({ status: 'paid', nextCheckAt: null })
})

test('a payment that expires late, for example after a restore, is polled for three more days', async () => {
  const payment = await insertPendingPayment(db)
  answer = async () => {
    throw new ProviderError('unknown', 'no answer within 10 s')
  }
  /** Runs the due check at this time, and returns the time of the next check in hours after the first. */
  const nextAfter = async (hours: number) => {
    await db.raw('update payments set next_check_at = ? where id = ?', [now, payment.id])
    await checkAt(later(hours * HOUR_MS))
    const { nextCheckAt } = await keptOf(payment)
    return nextCheckAt && (nextCheckAt.getTime() - now.getTime()) / HOUR_MS
  }
  await nextAfter(80)
  expect((await keptOf(payment)).status).toBe('expired')
  expect(await nextAfter(80)).toBe(81)
  expect(await nextAfter(151)).toBe(152)
  expect(await nextAfter(152)).toBeNull()
})

test('a status inquiry does not reverse a payment that became paid while the inquiry was in flight', async () => {
  const payment = await insertPendingPayment(db, { tenantId: await makeTenant(db) })
  const reference = payment.paymentCode
  answer = async () => {
    await happens(payment, { type: 'paid', amountPaid: payment.amount, paidAt: now, reference })
    return { reference, providerPaymentId: 't-3', fact: { type: 'failed', reason: 'provider reported deny' } }
  }
  await checkAt(payment.nextCheckAt as Date)
  expect(await keptOf(payment)).toMatchObject({ status: 'paid', reversedAt: null })
  expect(await listEntriesOfPayment(db, payment.tenantId, payment.id)).toMatchObject([
    { entryType: 'credit' },
  ])
})

test('an inquiry sent within 20 seconds of the charge cannot show that the order does not exist', async () => {
  const payment = makePayment({ status: 'charging', transitionCount: 0, nextCheckAt: later(15_000) })
  await insertPaymentInBatch(db, payment)
  answer = async () => {
    state.at = later(24_000)
    return 'absent'
  }
  await checkAt(later(15_000))
  expect(await keptOf(payment)).toMatchObject({ status: 'charging', nextCheckAt: later(20_000) })
})

test('a payment still expires if the service cannot parse the response to the last status inquiry', async () => {
  const payment = await insertPendingPayment(db)
  answer = async () => {
    throw new TypeError('Cannot read properties of undefined')
  }
  await checkAt(payment.expiresAt)
  expect(await keptOf(payment)).toMatchObject({ status: 'expired' })
})

test('a finished status inquiry is removed from memory', async () => {
  state.at = (await insertPendingPayment(db)).nextCheckAt as Date
  const checks = duePaymentSweep(app)
  expect(await checks.begin()).toBe(true)
  expect(await checks.ended()).not.toEqual([])
  expect(await checks.ended()).toEqual([])
})

test('if a provider account cannot be loaded, its due payments are polled once their claims have expired', async () => {
  const [tenantId, providerAccountId] = [await makeTenant(db), newId()]
  const payments = await Promise.all(
    Array.from({ length: 5 }, () => insertPendingPayment(db, { tenantId, providerAccountId })),
  )
  const accountOf = () => Promise.reject(new Error('Connection terminated unexpectedly'))
  const due = later(30 * MINUTE_MS)
  state.at = due
  const checks = duePaymentSweep({ ...app, accountOf })
  while (await checks.begin());
  await checks.ended()
  const asked = new Set<string>()
  answer = async ({ reference }) => {
    asked.add(reference)
    return 'absent'
  }
  await checkAt(new Date(due.getTime() + 2 * MINUTE_MS))
  for (const { paymentCode } of payments) expect(asked).toContain(paymentCode)
})

test("an account's due payment is polled within two runs while a slow account has 3,000 due payments", async () => {
  const slow = newId()
  const due = (providerAccountId: string, nextCheckAt: Date) =>
    makePayment({ status: 'charging', transitionCount: 0, providerAccountId, nextCheckAt })
  const backlog = [...Array(3_000)].map(() => due(slow, later(-60_000)))
  const other = due(newId(), later(0))
  await Promise.all([...backlog, other].map(payment => insertPaymentInBatch(db, payment)))
  const waiting: (() => void)[] = []
  answer = async ({ reference }) => {
    if (reference !== other.paymentCode) await new Promise<void>(resolve => waiting.push(resolve))
    return 'absent'
  }
  state.at = later(30_000)
  const checks = duePaymentSweep(app)
  await checks.begin()
  // Only one check of the account is in flight at a time, so the account stays below its limit on concurrent
  // checks.
  await until('the provider receives an inquiry', () => waiting.length > 0)
  waiting.shift()?.()
  await until('a payment check has ended', async () => {
    const settled = `select from payments where provider_account_id = ? and status = 'uncharged'`
    return (await db.raw(settled, [slow])).rows.length > 0
  })
  await checks.begin()
  expect((await keptOf(other)).nextCheckAt).not.toEqual(later(0))
  await until(
    'the payment of the other account is checked',
    async () => (await keptOf(other)).status === 'uncharged',
  )
  await db.raw('update payments set next_check_at = null where provider_account_id = ?', [slow])
  const free = setInterval(() => {
    for (const answerNow of waiting.splice(0)) answerNow()
  }, 10)
  await checks.ended()
  clearInterval(free)
})

test("a tenant's due payment is polled within two runs while another tenant of the account has 3,000 due payments", async () => {
  const [account, crowding] = [newId(), newId()]
  const due = (tenantId: string, nextCheckAt: Date) =>
    makePayment({
      ...{ status: 'charging', transitionCount: 0, nextCheckAt },
      ...{ tenantId, providerAccountId: account },
    })
  const backlog = [...Array(3_000)].map(() => due(crowding, later(-60_000)))
  await Promise.all(backlog.map(payment => insertPaymentInBatch(db, payment)))
  const gate = Promise.withResolvers<void>()
  const asked: string[] = []
  answer = async ({ reference }) => {
    asked.push(reference)
    await gate.promise
    return 'absent'
  }
  state.at = later(30_000)
  const checks = duePaymentSweep(app)
  // All checks (status inquiries) of the tenant with 3,000 due payments hang, so this tenant's slots for
  // checks stay in use.
  while (await checks.begin());
  const other = due(newId(), later(0))
  await insertPaymentInBatch(db, other)
  for (const _ of 'ab') await checks.begin()
  await until('the provider is polled about the other payment', () => asked.includes(other.paymentCode))
  expect(asked.length).toBeLessThan(250)
  await db.raw('update payments set next_check_at = null where tenant_id = ?', [crowding])
  gate.resolve()
  await checks.ended()
})

test("if an account has few inquiry slots, its tenants' payments are polled in turn", async () => {
  const [account, crowding] = [newId(), newId()]
  const due = (tenantId: string, nextCheckAt: Date) =>
    makePayment({
      ...{ status: 'charging', transitionCount: 0, nextCheckAt },
      ...{ tenantId, providerAccountId: account },
    })
  const payments = [
    ...[...Array(20)].map(() => due(crowding, later(-60_000))),
    ...[...Array(3)].map(() => due(newId(), later(0))),
  ]
  for (const payment of payments) await insertPaymentInBatch(db, payment)
  const asked = new Set<string>()
  answer = async ({ reference }) => {
    asked.add(reference)
    return 'absent'
  }
  state.at = later(30_000)
  const limits = {
    ...inquiryLimits(app.clock),
    availableOfAccounts: () => [{ accountId: account, room: 1 }],
  }
  const checks = duePaymentSweep(app, limits)
  for (let sweep = 0; sweep < 4; sweep++) {
    await checks.begin()
    await checks.ended()
  }
  expect(asked.size).toBe(4)
  const tenants = payments.filter(({ paymentCode }) => asked.has(paymentCode)).map(({ tenantId }) => tenantId)
  expect(new Set(tenants).size).toBe(4)
  await db.raw('update payments set next_check_at = null where tenant_id = ?', [crowding])
})

test('an account whose provider does not respond uses at most half of the inquiry slots', async () => {
  const [hanging, other] = [newId(), newId()]
  const due = (providerAccountId: string, nextCheckAt: Date) =>
    makePayment({ status: 'charging', transitionCount: 0, providerAccountId, nextCheckAt })
  const hung = [...Array(300)].map(() => due(hanging, later(-60_000)))
  const fine = [...Array(10)].map(() => due(other, later(0)))
  for (const payment of [...hung, ...fine]) await insertPaymentInBatch(db, payment)
  const isFine = new Set(fine.map(payment => payment.paymentCode))
  let asked = 0
  const gate = Promise.withResolvers<void>()
  answer = async ({ reference }) => {
    if (isFine.has(reference)) return 'absent'
    asked += 1
    await gate.promise
    throw new ProviderError('unknown', 'no answer within 10 s')
  }
  state.at = later(30_000)
  const checks = duePaymentSweep(app)
  for (const _ of 'ab') while (await checks.begin());
  await until('the payments of the other accounts are checked', async () =>
    (await Promise.all(fine.map(keptOf))).every(({ status }) => status === 'uncharged'),
  )
  await until('all 250 slots of the account are used', async () => asked === 250)
  const stillDue = (await Promise.all(hung.map(keptOf))).filter(
    ({ nextCheckAt }) => (nextCheckAt ?? state.at) < state.at,
  )
  expect(stillDue).toHaveLength(50)
  gate.resolve()
  await checks.ended()
  while (await checks.begin());
  await checks.ended()
  expect(asked).toBe(300)
})
