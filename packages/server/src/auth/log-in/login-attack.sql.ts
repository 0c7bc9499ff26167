import type { Db, Tx } from '../../db/db.ts'

/**
 * The priority of jobs that report login attacks. Email jobs have a higher priority, so that an attack on many accounts
 * does not delay emails.
 */
const ATTACK_PRIORITY = 1_000

/**
 * Enqueues a job that reports an attack on the account with this email address. The job, not the login, checks
 * whether a user has the address, so that the login's response time does not reveal it.
 */
export async function enqueueLoginAttack(
  tx: Tx,
  { address, account, at }: { address: string; account: Buffer; at: Date },
): Promise<void> {
  await tx.raw(
    `select enqueue('note_login_attack', array[json_build_object('address', :address::text, 'at', :at::text)],
       array['login attack ' || :key], null, :priority)`,
    { priority: ATTACK_PRIORITY, address, at: at.toISOString(), key: account.toString('base64url') },
  )
}

/**
 * Returns whether the audit log contains an attack on the user, with an entry ID of at least `sinceId`. IDs are UUIDv7,
 * so older entries have smaller IDs.
 */
export async function isAttackRecorded(
  db: Db,
  user: { id: string; tenantId: string },
  sinceId: string,
): Promise<boolean> {
  const { rows } = await db.raw<{ rows: unknown[] }>(
    `select from audit_log
     where tenant_id = :tenantId and id >= :sinceId and action = 'user.under_attack' and subject_id = :id limit 1`,
    { ...user, sinceId },
  )
  return rows.length > 0
}
