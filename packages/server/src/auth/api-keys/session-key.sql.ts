import type { Tx } from '../../db/db.ts'

export async function insertSessionKey(
  tx: Tx,
  key: {
    id: string
    keyHash: Buffer
    tenantId: string
    userId: string
    sessionId: string
    seconds: number
  },
): Promise<void> {
  await tx.raw(
    `insert into session_keys (id, key_hash, tenant_id, user_id, session_id, created_at, expires_at)
     values (:id, :keyHash, :tenantId, :userId, :sessionId, now(), now() + make_interval(secs => :seconds))`,
    key,
  )
}
