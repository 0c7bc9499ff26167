import type { Db, Tx } from '../db/db.ts'

/** What proves that a user is who is logged in. address: as failed log-ins are counted for it. */
export type OwnLogin = { address: string; passwordHash: string }

export async function findOwnLogin(db: Db, tenantId: string, userId: string): Promise<OwnLogin | undefined> {
  const { rows } = await db.raw<{ rows: OwnLogin[] }>(
    `select lower(email) as address, password_hash as "passwordHash" from users where tenant_id = ? and id = ?`,
    [tenantId, userId],
  )
  return rows[0]
}

/**
 * False where the password is no longer the one that was proven. The user's row is locked first, as by whatever else
 * happens to one user's sessions: of a log-in at the same time either the session is seen, or it sees the new password.
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
