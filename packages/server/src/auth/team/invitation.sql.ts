import type { Db, Tx } from '../../db/db.ts'
import type { Permission } from '../users/permission.ts'

/**
 * Enqueues the job that emails an invitation to a user. If the queue already contains such a job for this user,
 * no second job is added.
 */
export async function enqueueInvitation(db: Db, userId: string): Promise<void> {
  await db.raw(
    `select enqueue('send_invitation', array[json_build_object('user_id', :userId::text)], array['invitation ' || :userId::text])`,
    { userId },
  )
}

type InvitationLimit = { most: number; minutes: number; fromId: string }

/**
 * Returns the number of seconds until another invitation to the tenant may be emailed to the address. Returns 0 if the
 * address received fewer than `most` invitations to the tenant in the last `minutes` minutes.
 */
export const secondsToNextInvitationTo = (
  tx: Tx,
  limit: InvitationLimit & { tenantId: string; email: string },
): Promise<number> =>
  secondsToNext(tx, `tenant_id = :tenantId and lower(after ->> 'email') = lower(:email)`, limit)

/**
 * Returns the number of seconds until the sending tenant's users may send the address another invitation. Counts their
 * invitations to all tenants, unlike `secondsToNextInvitationTo`.
 */
export const secondsToNextInvitationByAndTo = (
  tx: Tx,
  limit: InvitationLimit & { senderId: string; email: string },
): Promise<number> =>
  secondsToNext(tx, `actor_tenant_id = :senderId and lower(after ->> 'email') = lower(:email)`, limit)

/**
 * Returns the number of seconds until the sending tenant's users may email another invitation, regardless of the
 * address. Returns 0 if they have sent fewer than `most` invitations in the last `minutes` minutes.
 */
export const secondsToNextInvitationBy = (
  tx: Tx,
  limit: InvitationLimit & { senderId: string },
): Promise<number> => secondsToNext(tx, 'actor_tenant_id = :senderId', limit)

/**
 * Returns the seconds until another invitation may be sent under the limit shared by a Partner and all its Clients.
 * Counts the invitations to the address `email`, or to all addresses if `email` is null. For a Client without a
 * Partner, counts only its own invitations.
 */
export const secondsToNextInvitationOfPartner = (
  tx: Tx,
  limit: InvitationLimit & { senderId: string; email: string | null },
): Promise<number> => secondsAfter(tx, 'invitations_of_partner(:senderId, :fromId, :email, :most)', limit)

/**
 * Returns the seconds until another invitation may be sent. Counts invitations by their entries in the audit log.
 * The parameter `condition` is an SQL condition that selects these entries and is supported by an index.
 */
const secondsToNext = (
  tx: Tx,
  condition: string,
  limit: InvitationLimit & Record<string, unknown>,
): Promise<number> =>
  secondsAfter(
    tx,
    `(select at from audit_log
      where ${condition} and id >= :fromId and action in ('user.invite', 'user.resend_invitation')
      order by at desc limit :most)`,
    limit,
  )

/**
 * `sent` contains the latest `most` invitations. Returns the number of seconds until the oldest of them is no longer in
 * the limit's period. Returns 0 if fewer than `most` invitations are in the period.
 */
async function secondsAfter(
  tx: Tx,
  sent: string,
  limit: InvitationLimit & Record<string, unknown>,
): Promise<number> {
  const { rows } = await tx.raw<{ rows: { seconds: number }[] }>(
    `select ceil(extract(epoch from min(at) + make_interval(mins => :minutes) - now()))::int as seconds
     from ${sent} as sent (at) where at > now() - make_interval(mins => :minutes) having count(*) = :most`,
    limit,
  )
  return rows[0]?.seconds ?? 0
}

export type Invited = { id: string; email: string; tenantName: string }

/** Finds a user who was invited but has not accepted the invitation yet. */
export async function findInvitedUser(db: Db, userId: string): Promise<Invited | undefined> {
  const { rows } = await db.raw<{ rows: Invited[] }>(
    `select u.id, u.email, t.name as "tenantName" from users u join tenants t on t.id = u.tenant_id
     where u.id = ? and u.status = 'invited'`,
    [userId],
  )
  return rows[0]
}

/** Stores the token for the user's new invitation, which replaces all earlier invitations. */
export async function replaceInvitation(
  db: Db,
  invitation: { tokenHash: Buffer; userId: string; expiresAt: Date },
): Promise<void> {
  await db.raw(
    `with replaced as (delete from invitations where user_id = :userId)
     insert into invitations (token_hash, user_id, expires_at) values (:tokenHash, :userId, :expiresAt)`,
    invitation,
  )
}

export type OpenInvitation = {
  userId: string
  tenantId: string
  /** The Partner that manages the user's tenant. Null if none does. */
  partnerId: string | null
  email: string
  permissions: Permission[]
}

/** Finds a team invitation by its token. Returns undefined if the token is unknown, used or expired. */
export async function findInvitation(
  db: Db,
  tokenHash: Buffer,
  at: Date,
): Promise<OpenInvitation | undefined> {
  const { rows } = await db.raw<{ rows: OpenInvitation[] }>(
    `select u.id as "userId", u.tenant_id as "tenantId", t.parent_id as "partnerId", u.email, u.permissions
     from invitations i join users u on u.id = i.user_id join tenants t on t.id = u.tenant_id
     where i.token_hash = ? and i.used_at is null and i.expires_at > ? and u.status = 'invited'`,
    [tokenHash, at],
  )
  return rows[0]
}

/**
 * Marks the invitation as used and sets the user's first password. Returns false if the invitation was already used
 * or the user was removed. Updating the user's row serializes concurrent requests.
 */
export async function useInvitation(
  tx: Tx,
  {
    tokenHash,
    userId,
    passwordHash,
    at,
  }: { tokenHash: Buffer; userId: string; passwordHash: string; at: Date },
): Promise<boolean> {
  const { rows } = await tx.raw<{ rows: unknown[] }>(
    `update users set password_hash = :passwordHash, status = 'active', updated_at = now()
     where id = :userId and status = 'invited' returning id`,
    { userId, passwordHash },
  )
  const used = await tx.raw<{ rows: unknown[] }>(
    `update invitations set used_at = :at
     where token_hash = :tokenHash and user_id = :userId and used_at is null and expires_at > :at returning user_id`,
    { tokenHash, userId, at },
  )
  return rows.length > 0 && used.rows.length > 0
}
