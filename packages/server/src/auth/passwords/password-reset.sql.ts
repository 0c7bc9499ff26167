import type { Db, Tx } from '../../db/db.ts'
import { countJobsOfSource } from '../../db/job-queue.sql.ts'
import { backlogPriorities } from '../../fairness/backlog-priority.ts'
import { lockUserRow } from '../users/user.sql.ts'

/**
 * The number of queued emails after which the job priority of the source's next emails drops by one step. One process
 * sends this many emails at a time.
 */
const MAILS_OF_PRIORITY = 8
/**
 * The maximum number of a source's queued emails that are counted to determine the priority. A higher count would not
 * change the order in which emails are sent.
 */
const WAITING_COUNTED = 1_000

const priorities = new WeakMap<Db, (source: string) => number>()

/**
 * Returns the job priority of the next email that a network source requests. The more of its emails are queued, the
 * lower this priority is, so that one source does not delay the emails of others. The tenant cannot be used instead,
 * because an unauthenticated request can name any tenant.
 */
function priorityOf(db: Db, source: string): number {
  const known =
    priorities.get(db) ??
    backlogPriorities(of => countJobsOfSource(db, 'send_password_reset', of, WAITING_COUNTED), {
      step: MAILS_OF_PRIORITY,
    })
  priorities.set(db, known)
  return known(source)
}

/**
 * Enqueues a job that emails a password reset token. The job, not the request, checks whether a user has the email
 * address, so that the response time does not reveal it.
 */
export async function enqueuePasswordReset(
  db: Db,
  request: { tenantId: string | null; email: string; source: string; requestedAt: Date; key: string },
): Promise<void> {
  await db.raw(
    `select enqueue('send_password_reset',
       array[json_build_object('tenant_id', :tenantId::text, 'email', :email::text, 'source', :source::text,
         'requested_at', :requestedAt::text)],
       array['password reset ' || :key], null, :priority)`,
    {
      ...request,
      requestedAt: request.requestedAt.toISOString(),
      priority: priorityOf(db, request.source),
    },
  )
}

type ResetRecipient = { id: string; email: string; tenantName: string }

/**
 * Finds the given tenant's active user with the given email address. If the tenant is null, the user can belong to
 * any tenant.
 */
export async function findResetUser(
  db: Db,
  tenantId: string | null,
  email: string,
): Promise<ResetRecipient | undefined> {
  const { rows } = await db.raw<{ rows: ResetRecipient[] }>(
    `select u.id, u.email, t.name as "tenantName" from users u join tenants t on t.id = u.tenant_id
     where lower(u.email) = lower(:email) and u.status = 'active'
       and (:tenantId::uuid is null or u.tenant_id = :tenantId)`,
    { tenantId, email },
  )
  return rows[0]
}

/**
 * Inserts a password reset token and deletes the user's expired tokens. Inserts nothing and returns false if the email
 * address already has `atMost` unexpired tokens. The tokens of removed users with this address count, too. The caller
 * must have locked the user's row.
 */
export async function insertPasswordReset(
  tx: Tx,
  reset: { tokenHash: Buffer; userId: string; email: string; at: Date; expiresAt: Date; atMost: number },
): Promise<boolean> {
  const { rows } = await tx.raw<{ rows: unknown[] }>(
    `with outdated as (
       delete from password_resets where token_hash in (
         select token_hash from password_resets where user_id = :userId and expires_at <= :at for update skip locked)
     )
     insert into password_resets (token_hash, user_id, expires_at)
     select :tokenHash, :userId, :expiresAt
     where (
       select count(*) from password_resets
       where expires_at > :at and user_id in (
         select :userId::uuid
         union all select id from users where lower(email) = lower(:email) and status = 'removed')
     ) < :atMost
     returning token_hash`,
    reset,
  )
  return rows.length > 0
}

export async function deletePasswordReset(db: Db, tokenHash: Buffer): Promise<void> {
  await db.raw('delete from password_resets where token_hash = ?', [tokenHash])
}

export type ResetUser = { id: string; tenantId: string; partnerId: string | null; address: string }

/**
 * Finds the user whose password the reset token may set. Returns undefined if the token is unknown, used or expired.
 */
export async function findPasswordReset(db: Db, tokenHash: Buffer, at: Date): Promise<ResetUser | undefined> {
  const { rows } = await db.raw<{ rows: ResetUser[] }>(
    `select u.id, u.tenant_id as "tenantId", t.parent_id as "partnerId", lower(u.email) as address
     from password_resets r join users u on u.id = r.user_id join tenants t on t.id = u.tenant_id
     where r.token_hash = ? and r.used_at is null and r.expires_at > ? and u.status = 'active'`,
    [tokenHash, at],
  )
  return rows[0]
}

/**
 * Marks the password reset token and the user's other reset tokens as used. Returns false if another request
 * used the token first. Locks the user's row first, so that concurrent requests cannot deadlock.
 */
export async function usePasswordReset(
  tx: Tx,
  tokenHash: Buffer,
  userId: string,
  at: Date,
): Promise<boolean> {
  await lockUserRow(tx, userId)
  const { rows } = await tx.raw<{ rows: { used: boolean }[] }>(
    `update password_resets set used_at = :at where user_id = :userId and used_at is null
     returning token_hash = :tokenHash and expires_at > :at as used`,
    { tokenHash, userId, at },
  )
  return rows.some(({ used }) => used)
}

/** Marks all of the user's unused password reset tokens as used. The caller must have locked the user's row. */
export async function usePasswordResets(tx: Tx, userId: string, at: Date): Promise<void> {
  await tx.raw('update password_resets set used_at = ? where user_id = ? and used_at is null', [at, userId])
}

export async function setPassword(tx: Tx, userId: string, passwordHash: string): Promise<void> {
  await tx.raw('update users set password_hash = ?, updated_at = now() where id = ?', [passwordHash, userId])
}
