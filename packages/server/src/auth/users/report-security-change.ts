import type { Db } from '../../db/db.ts'
import { type SecurityChange, securityChangeMail } from '../../mail/security-change-mail.ts'
import type { SendMail } from '../../mail/send-mail.ts'
import { findMailAddress } from './security-change.sql.ts'

/** Handles the job that emails a user about a change to the password or the second factor. */
export async function reportSecurityChange(
  app: { db: Db; publicUrl: string; sendMail: SendMail },
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
    await app.sendMail(securityChangeMail({ ...changed, email, publicUrl: app.publicUrl }))
}
