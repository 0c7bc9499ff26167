import type { Db, Tx } from '../../db/db.ts'
import { after } from '../../values/time.ts'
import { hasSecondFactor, type User } from '../auth.sql.ts'
import type { Permission } from '../users/permission.ts'
import { isBrowser, type RefreshToken, SPENT_GRACE_MS } from './session.ts'

/** The user data from which a new access token is created. */
export type TokenUser = Omit<User, 'passwordHash' | 'hasSecondFactor'>

export type NewRefreshToken = {
  tokenHash: Buffer
  familyId: string
  userId: string
  issuedAt: Date
  expiresAt: Date
}

/** The IP address and the User-Agent of the client (browser or program) that opens or uses a session. */
export type ClientDevice = { address: string | undefined; userAgent: string | undefined }

type Opening = { passwordHash: string; client: ClientDevice; isKnownDevice: boolean; provenAt: Date | null }

/**
 * Opens a session with its first refresh token. Returns false if the password has changed since it was checked, or if
 * the user has added a second factor and `provenAt` is null.
 *
 * If the login is from an unknown device, also enqueues an email that informs the user. A program without cookies, such
 * as a script, counts as a known device if the user has had a session with the same IP address and User-Agent.
 */
export async function openSession(db: Db, token: NewRefreshToken, opening: Opening): Promise<boolean> {
  return db.transaction(async tx => {
    // Locks the user's row, so that a concurrent password reset or the first second factor also ends this session. The
    // lock is a separate statement, so that the next statement sees what was committed while this statement waited.
    await tx.raw('select from users where id = ? for share', [token.userId])
    return insertSession(tx, token, opening)
  })
}

async function insertSession(
  tx: Tx,
  token: NewRefreshToken,
  { passwordHash, client, isKnownDevice, provenAt }: Opening,
): Promise<boolean> {
  const { rows } = await tx.raw<{ rows: unknown[] }>(
    `with outdated as (
       delete from refresh_tokens where token_hash in (
         select token_hash from refresh_tokens
         where user_id = :userId and expires_at < :issuedAt for update skip locked)
     ), issued as (
       insert into refresh_tokens (token_hash, family_id, user_id, issued_at, expires_at)
       select :tokenHash, :familyId, u.id, :issuedAt, :expiresAt
       from users u where u.id = :userId and u.password_hash = :passwordHash and u.status = 'active'
         and (:provenAt::timestamptz is not null or not ${hasSecondFactor})
       returning user_id
     ), known as (
       select from sessions where not :isBrowser and user_id = :userId and address is not distinct from :address
         and user_agent is not distinct from :userAgent limit 1
     ), opened as (
       insert into sessions (id, user_id, created_at, last_used_at, address, user_agent, proven_at)
       select :familyId, user_id, :issuedAt, :issuedAt, :address, :userAgent, :provenAt from issued
     )
     select case when not :isKnownDevice and not exists (select from known) then
       enqueue('report_new_device', array[json_build_object('session_id', :familyId::text,
           'client', json_build_object('address', :address::text, 'user_agent', :userAgent::text))],
         array['new device ' || :familyId::text]) end
     from issued`,
    {
      ...token,
      ...{ passwordHash, isKnownDevice, provenAt, isBrowser: isBrowser(client.userAgent) },
      ...columnsOfClient(client),
    },
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

/**
 * Locks the session of a refresh token and then reads the token, so that the session's renewals and logout run one
 * after another. A share lock on the user's row blocks changes to the user, such as a password reset, but not logins or
 * the renewal of other sessions.
 */
export async function lockRefreshToken(
  tx: Tx,
  tokenHash: Buffer,
): Promise<(RefreshToken & { user: TokenUser }) | undefined> {
  await tx.raw(
    `select from refresh_tokens r join users u on u.id = r.user_id join sessions s on s.id = r.family_id
     where r.token_hash = ? for share of u for no key update of s`,
    [tokenHash],
  )
  const { rows } = await tx.raw<{ rows: (RefreshToken & TokenUser)[] }>(
    `select r.family_id as "familyId", r.expires_at as "expiresAt", r.spent_at as "spentAt", r.revoked_at as "revokedAt",
            u.id, u.permissions, u.tenant_id as "tenantId", t.role, t.tier, t.status as "tenantStatus"
     from refresh_tokens r join users u on u.id = r.user_id join tenants t on t.id = u.tenant_id
     where r.token_hash = ?`,
    [tokenHash],
  )
  if (!rows[0]) return undefined
  const { familyId, expiresAt, spentAt, revokedAt, ...user } = rows[0]
  return { familyId, expiresAt, spentAt, revokedAt, user }
}

/** Records when a session was last used, and from which IP address and program. */
export async function noteSessionUse(tx: Tx, id: string, client: ClientDevice, at: Date): Promise<void> {
  await tx.raw(
    'update sessions set last_used_at = :at, address = :address, user_agent = :userAgent where id = :id',
    { id, at, ...columnsOfClient(client) },
  )
}

/** The stored User-Agent is truncated, because a client can send text of any length. */
export const columnsOfClient = ({ address, userAgent }: ClientDevice) => ({
  address: address ?? null,
  userAgent: userAgent?.slice(0, 300) ?? null,
})

/**
 * Marks a refresh token as used at its first use, and also marks the session's other unused tokens. Other unused tokens
 * exist if an earlier token was used more than once. A client keeps only one of these tokens. If another of these
 * tokens is used later, it was probably stolen, so the session is revoked.
 *
 * Tokens issued in the last ten seconds are not marked, because the client may still be waiting for the response with
 * its token.
 */
export async function markRefreshTokenUsed(tx: Tx, tokenHash: Buffer, at: Date): Promise<void> {
  await tx.raw(
    `update refresh_tokens t set spent_at = :at from refresh_tokens used
     where used.token_hash = :tokenHash and used.spent_at is null and t.family_id = used.family_id and t.spent_at is null
       and (t.token_hash = :tokenHash or t.issued_at <= :issuedUntil)`,
    { tokenHash, at, issuedUntil: after(at, -SPENT_GRACE_MS) },
  )
}

export type Session = {
  userId: string
  permissions: Permission[]
  isOver: boolean
  hasSecondFactor: boolean
  /** The time of the user's last second-factor confirmation in this session; null if there was none. */
  provenAt: Date | null
}

/**
 * Finds the session of an access token, and its user. The session always exists in the database, because its first
 * refresh token is stored before its first access token is signed.
 */
export async function findSession(db: Db, familyId: string): Promise<Session | undefined> {
  const { rows } = await db.raw<{ rows: Session[] }>(
    `select u.id as "userId", u.permissions, r."isOver", s.proven_at as "provenAt", ${hasSecondFactor} as "hasSecondFactor"
     from (select user_id, bool_and(revoked_at is not null) as "isOver" from refresh_tokens
           where family_id = :familyId group by user_id) r
     join users u on u.id = r.user_id left join sessions s on s.id = :familyId`,
    { familyId },
  )
  return rows[0]
}

/** Returns when the user logged in to the session. Undefined for sessions of releases that did not store this time. */
export async function findLoginTime(db: Db, sessionId: string): Promise<Date | undefined> {
  const { rows } = await db.raw<{ rows: { at: Date }[] }>(
    'select created_at as at from sessions where id = ?',
    [sessionId],
  )
  return rows[0]?.at
}

export async function revokeFamily(tx: Tx, familyId: string, at: Date): Promise<void> {
  await tx.raw('update refresh_tokens set revoked_at = ? where family_id = ? and revoked_at is null', [
    at,
    familyId,
  ])
}

/**
 * Ends all of the user's sessions, except the session `except` if it is given. Also ends all logins that are
 * waiting for a second factor.
 */
export async function revokeSessionsOfUser(
  tx: Tx,
  userId: string,
  at: Date,
  { except }: { except?: string | undefined } = {},
): Promise<void> {
  await tx.raw(
    `with waiting as (delete from second_factor_challenges where user_id = :userId)
     update refresh_tokens set revoked_at = :at
     where user_id = :userId and revoked_at is null and family_id is distinct from :except::uuid`,
    { at, userId, except: except ?? null },
  )
}
