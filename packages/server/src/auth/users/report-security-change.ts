import type { Db } from '../../db/db.ts'
import type { Logger } from '../../logging/log.ts'
import { type SecurityChange, securityChangeMail } from '../../mail/security-change-mail.ts'
import type { SendMail } from '../../mail/send-mail.ts'
import { sendSecurityMail } from '../../mail/send-security-mail.ts'
import { findMailAddress } from './security-change.sql.ts'

/** Handles the job that emails a user about a change to the password or the second factor. */
export async function reportSecurityChange(
  app: { db: Db; log: Logger; publicUrl: string; sendMail: SendMail },
  {
    userId,
    ...changed
  }: {
    userId: string
    change: SecurityChange
    at: Date
    client: { address: string | null; userAgent: string | null } | null
  },
): Promise<void> {
  const email = await findMailAddress(app.db, userId)
  if (email !== undefined)
    await sendSecurityMail(
      app,
      'change',
      securityChangeMail({ ...changed, email, publicUrl: app.publicUrl }),
      userId,
    )
}
