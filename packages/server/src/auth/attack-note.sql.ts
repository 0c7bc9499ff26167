import type { Db, Tx } from '../db/db.ts'

/** Mails share a runner with these notes and go first: an attack on many addresses must not delay them. */
const NOTE_PRIORITY = 1_000

/** A job that looks whether the address exists; the same statement whether or not it does. */
export async function enqueueAttackNote(
  tx: Tx,
  { address, account, at }: { address: string; account: Buffer; at: Date },
): Promise<void> {
  await tx.raw(
    `select enqueue('note_login_attack', array[json_build_object('address', :address::text, 'at', :at::text)],
       array['login attack ' || :key], null, :priority)`,
    { priority: NOTE_PRIORITY, address, at: at.toISOString(), key: account.toString('base64url') },
  )
}

/** Ids of the audit log begin with their time. */
export async function isAttackNoted(
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
