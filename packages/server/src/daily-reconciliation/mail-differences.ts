import { listOwnerRecipients } from '../auth/users/user.sql.ts'
import { emailUsers, type Mailer } from '../mail/email-users.ts'
import { reconciliationDiffersMail } from '../mail/mail.ts'
import { claimUnmailedReconciliationDifferences, endReconciliationMailClaim } from './difference.sql.ts'

/**
 * Emails each user of the Owner (the service's operator) about the reconciliation differences found since the last
 * email. If no user could be emailed, throws, and the next call tries again.
 */
export async function mailReconciliationDifferences(app: Mailer & { publicUrl: string }): Promise<void> {
  const ids = await claimUnmailedReconciliationDifferences(app.db)
  if (ids.length === 0) return
  let isMailed = false
  try {
    const { publicUrl } = app
    const users = await listOwnerRecipients(app.db)
    await emailUsers(app, users, to => reconciliationDiffersMail({ to, publicUrl, count: ids.length }))
    isMailed = true
  } finally {
    await endReconciliationMailClaim(app.db, { ids, isMailed })
  }
}
