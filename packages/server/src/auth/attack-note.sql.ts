import type { Db, Tx } from '../db/db.ts'

/** These jobs share a runner with mails and run after them, so an attack on many addresses does not delay mails. */
const NOTE_PRIORITY = 1_000

/** Enqueues a job that checks whether the address exists. The statement is the same whether or not it does. */
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

/** Audit log ids are UUID version 7, so `sinceId` bounds the time. */
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
