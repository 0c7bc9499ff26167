import type { Db, Tx } from '../../db/db.ts'
import type { SecurityChange } from '../../mail/security-change-mail.ts'
import { newId } from '../../values/id.ts'
import { type ClientDevice, columnsOfClient } from '../log-in/session.sql.ts'

/**
 * Enqueues an email about a change to the user's password or second factor, in the same transaction as the change.
 * `client` describes the device from which the change was made. If another person made the change, `client` is null, so
 * that the email does not reveal this person's IP address.
 */
export async function enqueueSecurityChange(
  tx: Tx,
  {
    userId,
    change,
    at,
    client,
  }: { userId: string; change: SecurityChange; at: Date; client: ClientDevice | null },
): Promise<void> {
  const { address, userAgent } = columnsOfClient(client ?? { address: undefined, userAgent: undefined })
  const payload = {
    ...{ user_id: userId, change, at },
    client: client && { address, user_agent: userAgent },
  }
  // The job queue merges waiting jobs that have the same key. Because each change needs a separate email, each job gets
  // a new key.
  await tx.raw(
    `select enqueue('report_security_change', array[:payload::json], array['security change ' || :key])`,
    { payload: JSON.stringify(payload), key: newId() },
  )
}

/** Returns a user's email address, even if the user is disabled. Returns undefined if the user has been removed. */
export async function findMailAddress(db: Db, userId: string): Promise<string | undefined> {
  const { rows } = await db.raw<{ rows: { email: string }[] }>(
    `select email from users where id = ? and status <> 'removed'`,
    [userId],
  )
  return rows[0]?.email
}
