import { listOwnerAddresses } from '../auth/users/user.sql.ts'
import type { Db } from '../db/db.ts'
import {
  takeUnnotifiedLedgerDifferences,
  unmarkNotifiedLedgerDifferences,
} from '../ledger/ledger-difference.sql.ts'
import { ledgerDiffersMail } from '../mail/mail.ts'
import type { SendMail } from '../mail/send-mail.ts'

/**
 * Emails each user of the Owner (the operator) about the ledger differences found since the last email. If an
 * email cannot be sent, throws, and the next call emails all users again.
 */
export async function mailLedgerDifferences(app: {
  db: Db
  publicUrl: string
  sendMail: SendMail
}): Promise<void> {
  const unmailed = await takeUnnotifiedLedgerDifferences(app.db)
  if (unmailed.length === 0) return
  try {
    const { publicUrl } = app
    for (const to of await listOwnerAddresses(app.db))
      await app.sendMail(ledgerDiffersMail({ to, publicUrl, count: unmailed.length }))
  } catch (error) {
    await unmarkNotifiedLedgerDifferences(
      app.db,
      unmailed.map(({ fingerprint }) => fingerprint),
    )
    throw error
  }
}
