import type { Db } from '../db/db.ts'
import { claimDueNotice, type DueNotice, type DueOn, endNoticeClaim } from './notice.sql.ts'

/**
 * Sends the notices that are due on a channel, one after another. If a notice could not be sent, the function still sends
 * the others before it throws an error, and the next call tries the failed notice again.
 */
export async function sendDueNotices(
  db: Db,
  due: DueOn,
  send: (notice: DueNotice) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = []
  let notice = await claimDueNotice(db, due)
  while (notice) {
    let isSent = false
    try {
      await send(notice)
      isSent = true
    } catch (error) {
      failures.push(error)
    }
    await endNoticeClaim(db, due, { id: notice.id, isSent })
    notice = await claimDueNotice(db, due, notice.id)
  }
  if (failures.length > 0) throw new AggregateError(failures, `notices could not be sent by ${due.channel}`)
}
