// Tests the queries in next-check.sql.ts that claim, postpone and list the scheduled checks (status inquiries) of
// payments.

import { beforeEach, describe, expect, test } from 'vitest'
import { testDatabase } from '../../../test/support/database.ts'
import { insertPendingPayment, later, makeTenant, now } from '../../../test/support/make.ts'
import { newId } from '../../values/id.ts'
import { findPaymentInBatch } from '../payment.sql.ts'
import type { Payment } from '../payment.ts'
import { recordEvents } from '../record/record-event.ts'
import {
  bringChecksForward,
  claimDuePayments,
  listChecksOfPending,
  listUncheckedChallenged,
  postponeCheckInBatch,
  postponeChecks,
} from './next-check.sql.ts'

const HOUR_MS = 3_600_000

const { db } = await testDatabase()
const tenantId = await makeTenant(db)
beforeEach(() => db.raw('update payments set next_check_at = null'))

/** Inserts a pending payment whose next check is at the given time. */
async function pending(at: Date, overrides: Partial<Payment> = {}): Promise<Payment> {
  const payment = await insertPendingPayment(db, { tenantId, ...overrides })
  await db.raw('update payments set next_check_at = ? where id = ?', [at, payment.id])
  return (await stored(payment)) as Payment
}
async function pendingOf(tenant: string, providerAccountId: string, at = now): Promise<void> {
  const payment = await insertPendingPayment(db, { tenantId: tenant, providerAccountId })
  await db.raw('update payments set next_check_at = ? where id = ?', [at, payment.id])
}
const stored = ({ id }: Payment) => findPaymentInBatch(db, tenantId, id, null)
const nextCheckOf = async (payment: Payment) => (await stored(payment))?.nextCheckAt
const idsOf = (payments: Payment[]) => payments.map(({ id }) => id).sort()

describe('a process claims only payments whose status inquiry is due, to send these inquiries', () => {
  const claim = (rooms: Partial<Parameters<typeof claimDuePayments>[3]> = {}) =>
    claimDuePayments(db, now, later(90_000), {
      ...{
        freeSlots: 10,
        slotsOfAccounts: [],
        slotsOfOtherAccounts: 10,
        slotsOfTenants: [],
        lastTenants: [],
      },
      ...rooms,
    })

  test('claiming (reserving) payments with a due status inquiry postpones the next inquiry about each payment', async () => {
    const [due, not] = [await pending(now), await pending(later(1))]
    expect(idsOf(await claim())).toEqual([due.id])
    expect(await nextCheckOf(due)).toEqual(later(90_000))
    expect(await nextCheckOf(not)).toEqual(later(1))
    const { rows } = await db.raw('select last_checked_at from payments where id = ?', [due.id])
    expect(rows).toEqual([{ last_checked_at: now }])
    expect(await claim()).toEqual([])
  })

  test("claiming due payments returns an account's earliest due payments, up to its number of free inquiry slots", async () => {
    const accounts = [newId(), newId(), newId()] as const
    const payments: Payment[] = []
    for (const providerAccountId of accounts)
      for (let n = 3; n > 0; n--) payments.push(await pending(later(-n), { providerAccountId }))
    const rooms = [
      { accountId: accounts[0], room: 0 },
      { accountId: accounts[1], room: 1 },
    ]
    const claimed = await claim({ slotsOfAccounts: rooms, slotsOfOtherAccounts: 2 })
    expect(idsOf(claimed)).toEqual(idsOf([payments[3], payments[6], payments[7]] as Payment[]))
  })

  test("one tenant's status inquiries use at most three quarters of an account's slots", async () => {
    const [accountId, others] = [newId(), await makeTenant(db)]
    for (let n = 0; n < 4; n++) await pendingOf(tenantId, accountId)
    for (let n = 0; n < 4; n++) await pendingOf(others, accountId)
    const room = (tenantRooms: { tenantId: string; room: number }[]) =>
      claim({ slotsOfOtherAccounts: 4, slotsOfTenants: tenantRooms.map(each => ({ accountId, ...each })) })
    const tenantsOf = (claimed: Payment[]) => claimed.map(payment => payment.tenantId)
    expect(tenantsOf(await room([{ tenantId, room: 0 }]))).toEqual([others, others, others])
    expect(tenantsOf(await room([{ tenantId: others, room: 0 }]))).toEqual([tenantId, tenantId, tenantId])
    expect(tenantsOf(await room([{ tenantId: others, room: 0 }]))).toEqual([tenantId])
  })

  test('if a provider account has fewer free inquiry slots than tenants, its tenants take turns', async () => {
    const providerAccountId = newId()
    const tenants = await Promise.all([1, 2, 3].map(() => makeTenant(db)))
    for (const each of [...tenants, ...tenants]) await pendingOf(each, providerAccountId)
    const [first, second, third] = tenants.toSorted() as [string, string, string]
    const turn = async (room: number, last?: string) => {
      const lastTenants = last === undefined ? [] : [{ accountId: providerAccountId, tenantId: last }]
      const claimed = await claim({ slotsOfAccounts: [{ accountId: providerAccountId, room }], lastTenants })
      return claimed.map(payment => payment.tenantId).sort()
    }
    expect(await turn(1)).toEqual([first])
    expect(await turn(2, first)).toEqual([second, third])
    expect(await turn(2, third)).toEqual([first, second])
  })

  test('claiming due payments takes one payment from each tenant before a second payment from any tenant', async () => {
    const providerAccountId = newId()
    const tenants = await Promise.all([1, 2, 3].map(() => makeTenant(db)))
    const [first, second, last] = tenants.toSorted() as [string, string, string]
    for (const each of [first, first, second, second]) await pendingOf(each, providerAccountId, later(-1_000))
    await pendingOf(last, providerAccountId)
    const claimed = await claim({ slotsOfAccounts: [{ accountId: providerAccountId, room: 4 }] })
    expect(claimed).toHaveLength(4)
    expect(claimed.map(payment => payment.tenantId)).toContain(last)
  })
})

describe('the service can postpone or remove the next status check of a payment', () => {
  test("postponing a payment's next status check stores the new time, or cancels the check if the new time is null", async () => {
    const [one, other] = [await pending(now), await pending(now)]
    await postponeChecks(db, [
      { payment: other, nextCheckAt: null },
      { payment: one, nextCheckAt: later(5_000) },
    ])
    expect(await nextCheckOf(one)).toEqual(later(5_000))
    expect(await nextCheckOf(other)).toBeNull()
  })

  test('postponing status inquiries locks payments in ID order, so concurrent batches never deadlock', async () => {
    const payments = [await pending(now), await pending(now)].toSorted((a, b) => (a.id < b.id ? -1 : 1))
    const [first, second] = payments as [Payment, Payment]
    // This update moves the row of the first payment within the table, so that the two rows are no longer
    // stored in ID order.
    await db.raw('update payments set next_check_at = next_check_at where id = ?', [first.id])
    const tx = await db.transaction()
    await tx.raw('select from payments where id = ? for update', [first.id])
    const postponed = postponeChecks(
      db,
      [second, first].map(payment => ({ payment, nextCheckAt: later(5_000) })),
    )
    const waiting = async () =>
      (
        await db.raw(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        )
      ).rows.length
    await expect.poll(waiting).toBe(1)
    const { rows } = await tx.raw('select from payments where id = ? for update skip locked', [second.id])
    await tx.rollback()
    await postponed
    expect(rows).toHaveLength(1)
    expect(await nextCheckOf(first)).toEqual(later(5_000))
  })

  test('a payment whose status changed after its claim keeps the time of its next inquiry', async () => {
    const payment = await pending(now)
    await postponeCheckInBatch(db, { ...payment, transitionCount: 7 }, later(5_000))
    expect(await nextCheckOf(payment)).toEqual(now)
    await postponeCheckInBatch(db, payment, later(5_000))
    expect(await nextCheckOf(payment)).toEqual(later(5_000))
  })
})

describe("the service can move a payment's next status check to an earlier time", () => {
  const MINUTE_MS = 60_000
  const forward = (payment: Payment, at: Date, isPolled = false) =>
    bringChecksForward(db, [{ tenantId, paymentId: payment.id, isPolled }], at)

  test("a status inquiry that is brought forward is due immediately, but never in the payment's first 45 seconds", async () => {
    const [fresh, older] = [await pending(later(60 * MINUTE_MS)), await pending(later(60 * MINUTE_MS))]
    await forward(fresh, later(1_000))
    expect(await nextCheckOf(fresh)).toEqual(later(45_000))
    await forward(older, later(MINUTE_MS))
    expect(await nextCheckOf(older)).toEqual(later(MINUTE_MS))
  })

  test("if a merchant polls a payment, the next inquiry is delayed by a twentieth of the payment's age", async () => {
    const payment = await pending(later(60 * MINUTE_MS))
    await db.raw('update payments set last_checked_at = ? where id = ?', [later(40 * MINUTE_MS), payment.id])
    await forward(payment, later(40 * MINUTE_MS), true)
    expect(await nextCheckOf(payment)).toEqual(later(42 * MINUTE_MS))
    await forward(payment, later(40 * MINUTE_MS), false)
    expect(await nextCheckOf(payment)).toEqual(later(40 * MINUTE_MS + 45_000))
  })

  test('moving status inquiries to an earlier time skips payments that another transaction has locked', async () => {
    const [locked, other] = [await pending(later(60 * MINUTE_MS)), await pending(later(60 * MINUTE_MS))]
    const tx = await db.transaction()
    await tx.raw('select from payments where id = ? for update', [locked.id])
    const checks = [locked, other].map(({ id }) => ({ tenantId, paymentId: id, isPolled: false }))
    await bringChecksForward(db, checks, later(MINUTE_MS)).finally(() => tx.rollback())
    expect(await nextCheckOf(locked)).toEqual(later(60 * MINUTE_MS))
    expect(await nextCheckOf(other)).toEqual(later(MINUTE_MS))
  })

  test('a request for an early status inquiry is ignored for a payment that is not open', async () => {
    const payment = await pending(later(60 * MINUTE_MS))
    await db.raw(`update payments set status = 'unknown' where id = ?`, [payment.id])
    await forward(payment, later(MINUTE_MS))
    expect(await nextCheckOf(payment)).toEqual(later(60 * MINUTE_MS))
  })

  test('a request for an early status inquiry never delays an inquiry that is due sooner', async () => {
    const payment = await pending(later(10_000))
    await forward(payment, later(1_000))
    expect(await nextCheckOf(payment)).toEqual(later(10_000))
  })
})

describe('the service can list the scheduled status checks of payments page by page', () => {
  test('the paged list of scheduled inquiries is complete even if payments with another status lie in between', async () => {
    const providerAccountId = newId()
    const happens = ({ id: paymentId }: Payment) =>
      db.transaction(tx =>
        recordEvents(
          tx,
          [{ tenantId, paymentId, event: { type: 'challenged', reason: 'held' }, cause: 'test' }],
          now,
        ),
      )
    const all: Payment[] = []
    for (let n = 1; n <= 5; n++) all.push(await pending(later(n), { providerAccountId }))
    await happens(all[1] as Payment)
    await db.raw('update payments set next_check_at = ? where id = ?', [later(2), (all[1] as Payment).id])
    const pages: string[][] = []
    let last: Awaited<ReturnType<typeof listChecksOfPending>>['last']
    for (;;) {
      const page = await listChecksOfPending(db, last, later(1), 3)
      pages.push(page.payments.map(({ id }) => id))
      if (!page.last) break
      last = page.last
    }
    const [, , third, fourth, fifth] = idsOf(all)
    expect(pages).toEqual([[third, fourth], [fifth], []])
  })

  test('challenged payments (held for review) without a scheduled inquiry are listed, least recently changed first', async () => {
    const challenged = [await pending(now), await pending(now), await pending(now)]
    for (const [n, { id: paymentId }] of challenged.entries())
      await db.transaction(tx =>
        recordEvents(
          tx,
          [{ tenantId, paymentId, event: { type: 'challenged', reason: 'held' }, cause: 'test' }],
          later(HOUR_MS + n * 1_000),
        ),
      )
    const [first, second, third] = challenged as [Payment, Payment, Payment]
    await db.raw('update payments set next_check_at = null where id <> ?', [second.id])
    expect((await listUncheckedChallenged(db, later(HOUR_MS - 1), 10)).map(({ id }) => id)).toEqual([
      first.id,
      third.id,
    ])
    expect((await listUncheckedChallenged(db, later(HOUR_MS - 1), 1)).map(({ id }) => id)).toEqual([first.id])
    expect((await listUncheckedChallenged(db, later(HOUR_MS), 10)).map(({ id }) => id)).toEqual([third.id])
  })
})
