import type { Db } from '../../db/db.ts'
import type { User } from '../auth.sql.ts'

export type ChallengePurpose = 'log_in' | 'confirm' | 'register_passkey'

/**
 * Inserts a challenge and deletes the user's expired challenges. A challenge is for a login that waits for the second
 * factor, or for registering a passkey. If `passwordHash` is given and is no longer the user's password hash, inserts
 * nothing. The user's row is locked, so that a concurrent password change also deletes the challenge.
 */
export async function insertChallenge(
  db: Db,
  challenge: {
    tokenHash: Buffer
    userId: string
    purpose: ChallengePurpose
    passkeyChallenge: string | null
    passwordHash: string | null
    at: Date
    expiresAt: Date
  },
): Promise<void> {
  await db.raw(
    `with outdated as (delete from second_factor_challenges where user_id = :userId and expires_at <= :at)
     insert into second_factor_challenges (token_hash, user_id, purpose, passkey_challenge, expires_at)
     select :tokenHash, id, :purpose, :passkeyChallenge, :expiresAt from users
     where id = :userId and (:passwordHash::text is null or password_hash = :passwordHash) for share`,
    challenge,
  )
}

export type OpenChallenge = { passkeyChallenge: string | null; address: string; user: User }

/** Finds an active user's unexpired second-factor challenge, together with this user. */
export async function findChallenge(
  db: Db,
  { tokenHash, purpose, at }: { tokenHash: Buffer; purpose: ChallengePurpose; at: Date },
): Promise<OpenChallenge | undefined> {
  const { rows } = await db.raw<{ rows: (User & Omit<OpenChallenge, 'user'>)[] }>(
    `select c.passkey_challenge as "passkeyChallenge", lower(u.email) as address, u.id, u.tenant_id as "tenantId",
            u.password_hash as "passwordHash", u.permissions, true as "hasSecondFactor", t.role, t.tier,
            t.status as "tenantStatus"
     from second_factor_challenges c join users u on u.id = c.user_id join tenants t on t.id = u.tenant_id
     where c.token_hash = :tokenHash and c.purpose = :purpose and c.expires_at > :at and u.status = 'active'`,
    { tokenHash, purpose, at },
  )
  if (!rows[0]) return undefined
  const { passkeyChallenge, address, ...user } = rows[0]
  return { passkeyChallenge, address, user }
}

export async function setPasskeyChallenge(
  db: Db,
  tokenHash: Buffer,
  passkeyChallenge: string,
): Promise<void> {
  await db.raw('update second_factor_challenges set passkey_challenge = ? where token_hash = ?', [
    passkeyChallenge,
    tokenHash,
  ])
}

/**
 * Deletes a second-factor challenge, so that it works only once. Returns false if another request has already used it.
 */
export async function takeChallenge(db: Db, tokenHash: Buffer): Promise<boolean> {
  const { rows } = await db.raw<{ rows: unknown[] }>(
    'delete from second_factor_challenges where token_hash = ? returning user_id',
    [tokenHash],
  )
  return rows.length > 0
}
