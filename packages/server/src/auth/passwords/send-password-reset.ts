import type { Db } from '../../db/db.ts'
import { passwordResetMail } from '../../mail/mail.ts'
import type { SendMail } from '../../mail/send-mail.ts'
import type { Secrets } from '../../secrets/secrets.ts'
import type { Clock } from '../../values/time.ts'
import { lockUserRow } from '../users/user.sql.ts'
import { deletePasswordReset, findResetUser, insertPasswordReset } from './password-reset.sql.ts'
import { newResetToken, RESET_TOKEN_MINUTES, resetTokenEnd } from './password-reset.ts'

/**
 * The maximum number of unexpired password reset tokens per email address. With this limit, a user can request another
 * email if one gets lost, but an attacker cannot flood the mailbox. A limit per user would not be enough: an admin
 * could repeatedly create a user with another person's address, request resets and remove the user.
 */
const TOKENS_AT_ONCE = 3

/**
 * Handles the job for a password reset request. If the email cannot be sent, throws an error, so that the job
 * is retried. The retries end when the token would have expired.
 */
export async function sendPasswordReset(
  app: { db: Db; secrets: Secrets; clock: Clock; publicUrl: string; sendMail: SendMail },
  { tenantId, email, requestedAt }: { tenantId: string | null; email: string; requestedAt: Date },
): Promise<void> {
  const at = app.clock()
  if (at >= resetTokenEnd(requestedAt)) return
  const user = await findResetUser(app.db, tenantId, email)
  if (!user) return
  const token = newResetToken()
  const tokenHash = app.secrets.hash(token)
  const reset = {
    ...{ tokenHash, userId: user.id, email: user.email, at },
    ...{ expiresAt: resetTokenEnd(at), atMost: TOKENS_AT_ONCE },
  }
  // The lock makes concurrent requests for one user wait, so that they do not exceed the limit.
  const isInserted = await app.db.transaction(async tx => {
    await lockUserRow(tx, user.id)
    return insertPasswordReset(tx, reset)
  })
  if (!isInserted) return
  try {
    await app.sendMail(
      passwordResetMail({
        to: user.email,
        tenantName: user.tenantName,
        token,
        publicUrl: app.publicUrl,
        minutes: RESET_TOKEN_MINUTES,
      }),
    )
  } catch (error) {
    await deletePasswordReset(app.db, tokenHash)
    throw error
  }
}
