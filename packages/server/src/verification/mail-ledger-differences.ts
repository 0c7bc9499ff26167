import { listOwnerRecipients } from '../auth/users/user.sql.ts'
import type { Db } from '../db/db.ts'
import {
  takeUnnotifiedLedgerDifferences,
  unmarkNotifiedLedgerDifferences,
} from '../ledger/ledger-difference.sql.ts'
import type { Logger } from '../logging/log.ts'
import { emailUsers } from '../mail/email-users.ts'
import { ledgerDiffersMail } from '../mail/mail.ts'
import type { SendMail } from '../mail/send-mail.ts'

/**
 * Emails each user of the Owner (the operator) about the ledger differences found since the last email. If no
 * user could be emailed, throws, and the next call tries again.
 */
export async function mailLedgerDifferences(app: {
  db: Db
  publicUrl: string
  sendMail: SendMail
  log: Pick<Logger, 'warn'>
}): Promise<void> {
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
