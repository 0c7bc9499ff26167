import { listNoticeRecipients } from '../auth/users/user.sql.ts'
import { emailUsers, type Mailer } from '../mail/email-users.ts'
import { takeDueNotices, unmarkSentNotice } from './notice.sql.ts'
import { noticeRules } from './notice.ts'
import { noticeMail } from './notice-mail.ts'

/**
 * Emails users about problems ("conditions") that have lasted long enough. A notice fails if none of its users could be
 * emailed. The function still sends the other notices before it throws an error, and the next call tries the failed
 * notice again.
 */
export async function mailNotices(
  { publicUrl, ...mailer }: Mailer & { publicUrl: string },
  at: Date,
): Promise<void> {
  const { db } = mailer
  const failures: unknown[] = []
  for (const notice of await takeDueNotices(db, { channel: 'mail', tenantId: null, at })) {
    try {
      const { tenantId, kind } = notice
      const users = await listNoticeRecipients(db, { tenantId, kind, permissions: noticeRules[kind].to })
      await emailUsers(mailer, users, to => noticeMail({ to, publicUrl, notice }))
    } catch (error) {
      failures.push(error)
      await unmarkSentNotice(db, 'mail', notice)
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'notices could not be mailed')
}
