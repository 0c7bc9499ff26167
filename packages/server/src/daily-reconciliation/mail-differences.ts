import { listOwnerRecipients } from '../auth/users/user.sql.ts'
import type { Db } from '../db/db.ts'
import type { Logger } from '../logging/log.ts'
import { emailUsers } from '../mail/email-users.ts'
import { reconciliationDiffersMail } from '../mail/mail.ts'
import type { SendMail } from '../mail/send-mail.ts'
import {
  takeUnnotifiedReconciliationDifferences,
  unmarkNotifiedReconciliationDifferences,
} from './difference.sql.ts'

/**
 * Emails each user of the Owner (the service's operator) about the reconciliation differences found since the last
 * email. If no user could be emailed, throws, and the next call tries again.
 */
export async function mailReconciliationDifferences(app: {
  db: Db
  publicUrl: string
  sendMail: SendMail
  log: Pick<Logger, 'warn'>
}): Promise<void> {
  const unmailed = await takeUnnotifiedReconciliationDifferences(app.db)
  if (unmailed.length === 0) return
  try {
    const { publicUrl } = app
    const users = await listOwnerRecipients(app.db)
    await emailUsers(app, users, to => reconciliationDiffersMail({ to, publicUrl, count: unmailed.length }))
  } catch (error) {
    await unmarkNotifiedReconciliationDifferences(
      app.db,
      unmailed.map(({ id }) => id),
    )
    throw error
  }
}
