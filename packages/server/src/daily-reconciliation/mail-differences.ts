import { listOwnerAddresses } from '../auth/users/user.sql.ts'
import type { Db } from '../db/db.ts'
import { reconciliationDiffersMail } from '../mail/mail.ts'
import type { SendMail } from '../mail/send-mail.ts'
import {
  takeUnnotifiedReconciliationDifferences,
  unmarkNotifiedReconciliationDifferences,
} from './difference.sql.ts'

/**
 * Emails each user of the Owner (the service's operator) about the reconciliation differences found since the last
 * email. If an email cannot be sent, throws an error, and the next call emails all users again.
 */
export async function mailReconciliationDifferences(app: {
  db: Db
  publicUrl: string
  sendMail: SendMail
}): Promise<void> {
  const unmailed = await takeUnnotifiedReconciliationDifferences(app.db)
  if (unmailed.length === 0) return
  try {
    const { publicUrl } = app
    for (const to of await listOwnerAddresses(app.db))
      await app.sendMail(reconciliationDiffersMail({ to, publicUrl, count: unmailed.length }))
  } catch (error) {
    await unmarkNotifiedReconciliationDifferences(
      app.db,
      unmailed.map(({ id }) => id),
    )
    throw error
  }
}
