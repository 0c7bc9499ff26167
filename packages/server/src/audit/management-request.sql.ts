import type { Db, Tx } from '../db/db.ts'

export type RequestKey = { tenantId: string; userId: string; key: string }

/**
 * Inserts a request's idempotency key, or replaces an expired key. Returns false if the key exists and has not
 * expired, in which case the caller must not run the request. If an open transaction has inserted the same key, waits
 * for it, up to the lock timeout.
 */
export async function claimRequest(
  tx: Tx,
  key: RequestKey,
  { requestHash, now, expiresAt }: { requestHash: Buffer; now: Date; expiresAt: Date },
): Promise<boolean> {
  const { rows } = await tx.raw<{ rows: unknown[] }>(
    `insert into management_requests as r (tenant_id, user_id, key, request_hash, expires_at)
     values (:tenantId, :userId, :key, :requestHash, :expiresAt)
     on conflict (tenant_id, user_id, key) do update
       set request_hash = excluded.request_hash, response_sealed = null, expires_at = excluded.expires_at
       where r.expires_at <= :now
     returning 1`,
    { ...key, requestHash, now, expiresAt },
  )
  return rows.length > 0
}

export async function storeResponse(tx: Tx, key: RequestKey, responseSealed: string): Promise<void> {
  await tx.raw(
    `update management_requests set response_sealed = :responseSealed
     where tenant_id = :tenantId and user_id = :userId and key = :key`,
    { ...key, responseSealed },
  )
}

export async function getRequest(
  db: Db,
  key: RequestKey,
): Promise<{ requestHash: Buffer; responseSealed: string }> {
  const { rows } = await db.raw<{ rows: { requestHash: Buffer; responseSealed: string }[] }>(
    `select request_hash as "requestHash", response_sealed as "responseSealed" from management_requests
     where tenant_id = :tenantId and user_id = :userId and key = :key`,
    { ...key },
  )
  const [row] = rows
  if (!row) throw new Error('the stored management request no longer exists')
  return row
}
