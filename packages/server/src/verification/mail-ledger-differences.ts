import { listOwnerRecipients } from '../auth/users/user.sql.ts'
import {
  takeUnnotifiedLedgerDifferences,
  unmarkNotifiedLedgerDifferences,
} from '../ledger/ledger-difference.sql.ts'
import { emailUsers, type Mailer } from '../mail/email-users.ts'
import { ledgerDiffersMail } from '../mail/mail.ts'

/**
 * Emails each user of the Owner (the operator) about the ledger differences found since the last email. If no
 * user could be emailed, throws, and the next call tries again.
 */
export async function mailLedgerDifferences(app: Mailer & { publicUrl: string }): Promise<void> {
  const unmailed = await takeUnnotifiedLedgerDifferences(app.db)
  if (unmailed.length === 0) return
  try {
    const { publicUrl } = app
    const users = await listOwnerRecipients(app.db)
    await emailUsers(app, users, to => ledgerDiffersMail({ to, publicUrl, count: unmailed.length }))
  } catch (error) {
    await unmarkNotifiedLedgerDifferences(
      app.db,
      unmailed.map(({ fingerprint }) => fingerprint),
    )
    throw error
  }
}
