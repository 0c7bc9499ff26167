import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { testDatabase } from '../../../test/support/database.ts'
import { insertPendingPayment, later, makePayment, now } from '../../../test/support/make.ts'
import { migrationsDirectory } from '../../db/migrate/migrate.ts'
import { payloads } from '../../jobs/tasks.ts'
import { newId } from '../../values/id.ts'
import { findPaymentInBatch, insertPaymentInBatch } from '../payment.sql.ts'
import type { Payment } from '../payment.ts'
import { recordEvents } from '../record/record-event.ts'
import { backfillInquirySchedule } from './backfill-schedule.ts'

const { db } = await testDatabase()
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const MONTH = { expiryMinutes: 43_200, expiresAt: later(30 * DAY_MS) }

const setNextCheck = ({ id }: Payment, at: Date | null) =>
  db.raw('update payments set next_check_at = ? where id = ?', [at, id])
const nextCheckOf = async ({ tenantId, id }: Payment) =>
  (await findPaymentInBatch(db, tenantId, id, null))?.nextCheckAt?.getTime()

/**
 * Inserts a pending payment as stored by releases without inquiry schedules: its only status inquiry is due just
 * before the payment expires.
 */
async function oldPending(): Promise<Payment> {
  const payment = makePayment({ ...MONTH, nextCheckAt: later(30 * DAY_MS - 60_000) })
  await insertPaymentInBatch(db, payment)
  return payment
}
async function oldChallenged(at: Date): Promise<Payment> {
  const payment = await insertPendingPayment(db, MONTH)
  const event = { type: 'challenged', reason: 'under review' } as const
  const { tenantId, id: paymentId } = payment
  await db.transaction(tx => recordEvents(tx, [{ tenantId, paymentId, event, cause: 'callback' }], at))
  await setNextCheck(payment, null)
  return payment
}

describe('payments created before the inquiry schedule existed are added to the schedule', () => {
  test('the backfill adds all older open payments to the inquiry schedule and can be repeated', async () => {
    const pending = await Promise.all(Array.from({ length: 1_100 }, oldPending))
    const challenged = await oldChallenged(later(-DAY_MS))
    const decidedLongAgo = await oldChallenged(later(-40 * DAY_MS))
    const cancelled = await insertPendingPayment(db, MONTH)
    await setNextCheck(cancelled, later(31 * DAY_MS))
    await db.raw(`update payments set status = 'cancelled' where id = ?`, [cancelled.id])
    const soon = makePayment({ ...MONTH, providerAccountId: newId(), nextCheckAt: later(1_000) })
    await insertPaymentInBatch(db, soon)

    const app = { db, clock: () => later(DAY_MS / 2) }
    for (const _ of 'ab') {
      await backfillInquirySchedule(app)
      for (const payment of [...pending, challenged]) {
        const next = (await nextCheckOf(payment)) as number
        expect(next).toBeGreaterThan(now.getTime() + DAY_MS / 2)
        expect(next).toBeLessThan(now.getTime() + DAY_MS / 2 + 7 * HOUR_MS)
      }
      expect(await nextCheckOf(decidedLongAgo)).toBeUndefined()
      expect(await nextCheckOf(cancelled)).toBe(later(31 * DAY_MS).getTime())
      expect(await nextCheckOf(soon)).toBe(later(1_000).getTime())
    }
  })

  test('the migration queues one job that adds all older payments to the status inquiry schedule', async () => {
    const file = await readFile(join(migrationsDirectory, '0031_inquiry_schedule.sql'), 'utf8')
    const [queueing] = file.split(';') as [string]
    for (const _ of 'ab') await db.raw(queueing)
    const { rows } = await db.raw(
      `select payload, run_at > now() as "isLater" from graphile_worker._private_jobs j
       join graphile_worker._private_tasks t on t.id = j.task_id where t.identifier = 'schedule_inquiries'`,
    )
    expect(rows).toEqual([{ payload: {}, isLater: true }])
    expect(payloads.schedule_inquiries.parse(rows[0].payload)).toEqual({})
  })
})
