import { listOwnerRecipients } from '../auth/users/user.sql.ts'
import { claimUnmailedLedgerDifferences, endLedgerMailClaim } from '../ledger/ledger-difference.sql.ts'
import { emailUsers, type Mailer } from '../mail/email-users.ts'
import { ledgerDiffersMail } from '../mail/mail.ts'

/**
 * Emails each user of the Owner (the operator) about the ledger differences found since the last email. If no
 * user could be emailed, throws, and the next call tries again.
 */
export async function mailLedgerDifferences(app: Mailer & { publicUrl: string }): Promise<void> {
  const fingerprints = await claimUnmailedLedgerDifferences(app.db)
  if (fingerprints.length === 0) return
  let isMailed = false
  try {
    const { publicUrl } = app
    const users = await listOwnerRecipients(app.db)
    await emailUsers(app, users, to => ledgerDiffersMail({ to, publicUrl, count: fingerprints.length }))
    isMailed = true
  } finally {
    await endLedgerMailClaim(app.db, { fingerprints, isMailed })
  }
}
