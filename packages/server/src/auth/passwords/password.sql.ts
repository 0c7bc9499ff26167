import type { Db, Tx } from '../../db/db.ts'

/** A logged-in user's password hash and email address. Failed logins are counted for this address. */
export type OwnLogin = { address: string; passwordHash: string }

export async function findOwnLogin(db: Db, tenantId: string, userId: string): Promise<OwnLogin | undefined> {
  const { rows } = await db.raw<{ rows: OwnLogin[] }>(
    `select lower(email) as address, password_hash as "passwordHash" from users where tenant_id = ? and id = ? and status = 'active'`,
    [tenantId, userId],
  )
  return rows[0]
}

/**
 * Replaces the user's password if the stored hash still equals `proven`, the hash that the caller checked. Returns
 * whether the password was replaced. The transaction locks the user's row, so a concurrent login with the old password
 * either fails or has its session revoked.
 */
export async function replacePassword(
  tx: Tx,
  userId: string,
  { proven, next }: { proven: string; next: string },
): Promise<boolean> {
  const { rows } = await tx.raw<{ rows: unknown[] }>(
    `update users set password_hash = :next, updated_at = now() where id = :userId and password_hash = :proven returning id`,
    { userId, proven, next },
  )
  return rows.length > 0
}
