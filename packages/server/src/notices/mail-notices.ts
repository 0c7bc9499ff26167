import { listNoticeAddresses } from '../auth/users/user.sql.ts'
import type { Db } from '../db/db.ts'
import type { SendMail } from '../mail/send-mail.ts'
import { findOwnerId } from '../tenants/tenant.sql.ts'
import type { Clock } from '../values/time.ts'
import { findConditions } from './find-conditions.sql.ts'
import { findFallingRates } from './find-falling-rates.ts'
import { endConditions, recordConditions, takeUnmailedNotices, unmarkMailedNotice } from './notice.sql.ts'
import { noticeRules } from './notice.ts'
import { noticeMail } from './notice-mail.ts'

type Deps = { db: Db; clock: Clock; publicUrl: string; sendMail: SendMail }

/**
 * Records the problems ("conditions") that exist now, ends those that no longer exist, and mails users about those that
 * have lasted long enough. If a mail cannot be sent, mails about other problems are still sent, and then the call
 * throws. The next call sends all mails about the failed problem again.
 */
export async function mailNotices({ db, clock, publicUrl, sendMail }: Deps): Promise<void> {
  const at = clock()
  const ownerId = await findOwnerId(db)
  if (ownerId === undefined) return
  const found = [...(await findConditions(db, ownerId, at)), ...(await findFallingRates(db, ownerId, at))]
  await recordConditions(db, found, at)
  await endConditions(db, at)

  const failures: unknown[] = []
  for (const notice of await takeUnmailedNotices(db, at)) {
    try {
      const { tenantId, kind } = notice
      for (const to of await listNoticeAddresses(db, { tenantId, kind, permissions: noticeRules[kind].to }))
        await sendMail(noticeMail({ to, publicUrl, notice }))
    } catch (error) {
      failures.push(error)
      await unmarkMailedNotice(db, notice)
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'notices could not be mailed')
}
