import { listNoticeAddresses } from '../auth/users/user.sql.ts'
import type { Db } from '../db/db.ts'
import type { SendMail } from '../mail/send-mail.ts'
import { takeDueNotices, unmarkSentNotice } from './notice.sql.ts'
import { noticeRules } from './notice.ts'
import { noticeMail } from './notice-mail.ts'

/**
 * Emails users about problems ("conditions") that have lasted long enough. If an email fails, the other notices are
 * emailed before the function throws. The next call sends all emails for the failed notice again.
 */
export async function mailNotices(
  { db, publicUrl, sendMail }: { db: Db; publicUrl: string; sendMail: SendMail },
  at: Date,
): Promise<void> {
  const failures: unknown[] = []
  for (const notice of await takeDueNotices(db, { channel: 'mail', tenantId: null, at })) {
    try {
      const { tenantId, kind } = notice
      for (const to of await listNoticeAddresses(db, { tenantId, kind, permissions: noticeRules[kind].to }))
        await sendMail(noticeMail({ to, publicUrl, notice }))
    } catch (error) {
      failures.push(error)
      await unmarkSentNotice(db, 'mail', notice)
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'notices could not be mailed')
}
