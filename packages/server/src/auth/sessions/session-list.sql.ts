import type { Db, Tx } from '../../db/db.ts'
import { lockUserRow } from '../users/user.sql.ts'

/** An open session as the API shows it, with the IP address and User-Agent of its last use. */
export type ListedSession = {
  id: string
  createdAt: Date
  lastUsedAt: Date
  address: string | null
  userAgent: string | null
}

/** Lists the user's open login sessions, newest first. */
export async function listSessions(
  db: Db,
  { userId, at, afterId, limit }: { userId: string; at: Date; afterId: string | undefined; limit: number },
): Promise<ListedSession[]> {
  const { rows } = await db.raw<{ rows: ListedSession[] }>(
    `select s.id, s.created_at as "createdAt", s.last_used_at as "lastUsedAt", s.address, s.user_agent as "userAgent"
     from sessions s
     where s.user_id = :userId and (:afterId::uuid is null or s.id < :afterId) and exists (
       select from refresh_tokens r where r.family_id = s.id and r.revoked_at is null and r.expires_at > :at)
     order by s.id desc limit :limit`,
    { userId, at, afterId: afterId ?? null, limit },
  )
  return rows
}

/**
 * Ends one of the user's login sessions. Returns false if the user has no open session with this ID. The lock on the
 * user's row waits for a concurrent renewal of the session, so that the renewal's new refresh token is also revoked.
 */
export async function endOneSession(tx: Tx, userId: string, id: string, at: Date): Promise<boolean> {
  await lockUserRow(tx, userId)
  const { rows } = await tx.raw<{ rows: unknown[] }>(
    `update refresh_tokens set revoked_at = :at
     where family_id = :id and user_id = :userId and revoked_at is null and expires_at > :at returning family_id`,
    { id, userId, at },
  )
  return rows.length > 0
}

/**
 * Ends all of the user's login sessions except the one with this ID. Returns how many sessions ended. Locks the
 * user's row first, as `endOneSession` does.
 */
export async function endSessionsExcept(tx: Tx, userId: string, id: string, at: Date): Promise<number> {
  await lockUserRow(tx, userId)
  const { rows } = await tx.raw<{ rows: { ended: bigint }[] }>(
    `with ended as (
       update refresh_tokens set revoked_at = :at
       where user_id = :userId and family_id <> :id and revoked_at is null returning family_id, expires_at
     )
     select count(distinct family_id) filter (where expires_at > :at) as ended from ended`,
    { id, userId, at },
  )
  return Number(rows[0]?.ended ?? 0n)
}

export type NewDevice = {
  userId: string
  email: string
  address: string | null
  userAgent: string | null
  createdAt: Date
}

/** Returns the data for the email about a login from a new device. */
export async function findNewDevice(db: Db, sessionId: string): Promise<NewDevice | undefined> {
  const { rows } = await db.raw<{ rows: NewDevice[] }>(
    `select u.id as "userId", u.email, s.address, s.user_agent as "userAgent", s.created_at as "createdAt"
     from sessions s join users u on u.id = s.user_id where s.id = ? and u.status = 'active'`,
    [sessionId],
  )
  return rows[0]
}
