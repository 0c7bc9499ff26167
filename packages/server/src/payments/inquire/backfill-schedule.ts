// Schedules status inquiries for open payments created before the inquiry schedule existed (migration 0031).
// Running the job twice is safe, because it never postpones an inquiry.

import type { Db } from '../../db/db.ts'
import { after, type Clock } from '../../values/time.ts'
import {
  CHALLENGED_POLLED_FOR_MS,
  nextInquiryOfChallenged,
  nextInquiryOfPending,
} from '../inquiry-schedule.ts'
import { listChecksOfPending, listUncheckedChallenged, postponeChecks } from './next-check.sql.ts'

const AT_ONCE = 1_000

export async function backfillInquirySchedule({ db, clock }: { db: Db; clock: Clock }): Promise<void> {
  const now = clock()
  for (let last: Awaited<ReturnType<typeof listChecksOfPending>>['last'] | undefined; ; ) {
    const page = await listChecksOfPending(db, last, now, AT_ONCE)
    const late = page.payments
      .map(payment => ({ payment, nextCheckAt: nextInquiryOfPending(payment, now) }))
      .filter(({ payment, nextCheckAt }) => payment.nextCheckAt !== null && nextCheckAt < payment.nextCheckAt)
    if (late.length > 0) await postponeChecks(db, late)
    last = page.last
    if (last === undefined) break
  }
  for (;;) {
    const challenged = await listUncheckedChallenged(db, after(now, -CHALLENGED_POLLED_FOR_MS), AT_ONCE)
    if (challenged.length === 0) return
    await postponeChecks(
      db,
      // A challenged payment (in fraud review or partly paid) whose schedule contains no later inquiry gets an inquiry
      // now.
      challenged.map(payment => ({
        payment,
        nextCheckAt: nextInquiryOfChallenged(payment, payment.updatedAt, now) ?? now,
      })),
    )
  }
}
