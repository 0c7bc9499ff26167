import { listNoticeRecipients } from '../auth/users/user.sql.ts'
import { emailUsers, type Mailer } from '../mail/email-users.ts'
import { noticeRules } from './notice.ts'
import { noticeMail } from './notice-mail.ts'
import { sendDueNotices } from './send-due-notices.ts'

/**
 * Emails users about problems ("conditions") that have lasted long enough. A notice fails if none of its users could be
 * emailed.
 */
export async function mailNotices(
  { publicUrl, ...mailer }: Mailer & { publicUrl: string },
  at: Date,
): Promise<void> {
  const { db } = mailer
  await sendDueNotices(db, { channel: 'mail', tenantId: null, at }, async notice => {
    const { tenantId, kind } = notice
    const users = await listNoticeRecipients(db, { tenantId, kind, permissions: noticeRules[kind].to })
    await emailUsers(mailer, users, to => noticeMail({ to, publicUrl, notice }))
  })
}
