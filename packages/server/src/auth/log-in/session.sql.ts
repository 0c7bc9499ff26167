import type { Db, Tx } from '../../db/db.ts'
import type { User } from '../auth.sql.ts'
import type { RefreshToken } from './session.ts'

export type NewRefreshToken = {
  tokenHash: Buffer
  familyId: string
  userId: string
  issuedAt: Date
  expiresAt: Date
}

/**
 * Inserts the first refresh token of a session. Returns false if the password has changed since it was checked. Locks
 * the user's row, so that a concurrent password reset also ends this session.
 */
export async function insertFirstRefreshToken(
  db: Db,
  token: NewRefreshToken,
  passwordHash: string,
): Promise<boolean> {
  const { rows } = await db.raw<{ rows: unknown[] }>(
    `with outdated as (
       delete from refresh_tokens where token_hash in (
         select token_hash from refresh_tokens
         where user_id = :userId and expires_at < :issuedAt for update skip locked)
     )
     insert into refresh_tokens (token_hash, family_id, user_id, issued_at, expires_at)
     select :tokenHash, :familyId, id, :issuedAt, :expiresAt
     from users where id = :userId and password_hash = :passwordHash for share
     returning token_hash`,
    { ...token, passwordHash },
  )
  return rows.length > 0
}

export async function insertRefreshToken(tx: Tx, token: NewRefreshToken): Promise<void> {
  await tx.raw(
    `insert into refresh_tokens (token_hash, family_id, user_id, issued_at, expires_at)
     values (:tokenHash, :familyId, :userId, :issuedAt, :expiresAt)`,
    token,
  )
}

/** Locks the user's row and then reads the refresh token. The lock serializes all operations on the user's sessions. */
export async function lockRefreshToken(
  tx: Tx,
  tokenHash: Buffer,
): Promise<(RefreshToken & { user: Omit<User, 'passwordHash'> }) | undefined> {
  await tx.raw(
    `select from users where id = (select user_id from refresh_tokens where token_hash = ?) for no key update`,
    [tokenHash],
  )
  const { rows } = await tx.raw<{ rows: (RefreshToken & Omit<User, 'passwordHash'>)[] }>(
    `select r.family_id as "familyId", r.expires_at as "expiresAt", r.spent_at as "spentAt", r.revoked_at as "revokedAt",
            u.id, u.tenant_id as "tenantId", t.role, t.tier, t.status as "tenantStatus"
     from refresh_tokens r join users u on u.id = r.user_id join tenants t on t.id = u.tenant_id
     where r.token_hash = ?`,
    [tokenHash],
  )
  if (!rows[0]) return undefined
  const { familyId, expiresAt, spentAt, revokedAt, ...user } = rows[0]
  return { familyId, expiresAt, spentAt, revokedAt, user }
}

export async function markRefreshTokenUsed(tx: Tx, tokenHash: Buffer, at: Date): Promise<void> {
  await tx.raw('update refresh_tokens set spent_at = ? where token_hash = ? and spent_at is null', [
    at,
    tokenHash,
  ])
}

/**
 * Returns whether the session has ended. An unknown session counts as ended, because the first refresh token is stored
 * before any access token is signed.
 */
export async function findSession(db: Db, familyId: string): Promise<{ isOver: boolean } | undefined> {
  const { rows } = await db.raw<{ rows: { isOver: boolean }[] }>(
    `select not exists (
       select from refresh_tokens where family_id = ? and revoked_at is null
     ) as "isOver"`,
    [familyId],
  )
  return rows[0]
}

export async function revokeFamily(tx: Tx, familyId: string, at: Date): Promise<void> {
  await tx.raw('update refresh_tokens set revoked_at = ? where family_id = ? and revoked_at is null', [
    at,
    familyId,
  ])
}

/** Ends the user's sessions. `except` is a session that continues, if any. */
export async function revokeSessionsOfUser(
  tx: Tx,
  userId: string,
  at: Date,
  { except }: { except?: string | undefined } = {},
): Promise<void> {
  await tx.raw(
    `update refresh_tokens set revoked_at = :at
     where user_id = :userId and revoked_at is null and family_id is distinct from :except::uuid`,
    { at, userId, except: except ?? null },
  )
}
