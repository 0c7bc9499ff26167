import { auditedTransaction } from '../audit/audited-transaction.ts'
import { lockMutedNotices, updateMutedNotices } from '../auth/users/muted-notices.sql.ts'
import type { Db } from '../db/db.ts'
import { fault } from '../faults/fault.ts'
import { mutedAfter, type NoticeChoices } from './notice-choices.ts'

/**
 * Turns notices (emails about problems) of the given kinds on or off for the calling user. Returns all kinds that are
 * turned off after the change.
 */
export async function chooseNotices(
  app: { db: Db },
  caller: { tenantId: string; userId: string },
  choices: NoticeChoices,
): Promise<string[]> {
  return auditedTransaction(app, caller, async tx => {
    const before = await lockMutedNotices(tx, caller)
    if (!before) throw fault('access_token_invalid')
    const after = mutedAfter(before, choices)
    await updateMutedNotices(tx, caller, after)
    return {
      result: after,
      action: 'user.choose_notifications',
      tenantId: caller.tenantId,
      subjectId: caller.userId,
      before: { turned_off: before },
      after: { turned_off: after },
    }
  })
}
