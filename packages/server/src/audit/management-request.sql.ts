import type { Db } from '../db/db.ts'
import { newId } from '../values/id.ts'

export type RequestKey = { tenantId: string; userId: string; key: string }

export type Claim = { requestHash: Buffer; now: Date; expiresAt: Date }

/**
 * Claims a request's idempotency key: inserts the key, or replaces an expired one. Returns the claim's ID. If the key
 * exists and has not expired, returns undefined: the caller must not run the request. If an open transaction has
 * inserted the same key, waits for this transaction, up to the lock timeout.
 */
export async function claimRequest(
  db: Db,
  key: RequestKey,
  { requestHash, now, expiresAt }: Claim,
): Promise<string | undefined> {
  const { rows } = await db.raw<{ rows: { id: string }[] }>(
    `insert into management_requests as r (id, tenant_id, user_id, key, request_hash, expires_at)
     values (:id, :tenantId, :userId, :key, :requestHash, :expiresAt)
     on conflict (tenant_id, user_id, key) do update
       set id = excluded.id, request_hash = excluded.request_hash, response_sealed = null,
           expires_at = excluded.expires_at
       where r.expires_at <= :now
     returning id`,
    { id: newId(), ...key, requestHash, now, expiresAt },
  )
  return rows[0]?.id
}

/**
 * Sets a new expiry for a request's claim on an idempotency key, and stores the request's response if one is given.
 * Returns false if the claim expired and another request claimed the key. The query does not compare the stored expiry,
 * because a caller that lost the response to an earlier update does not know the stored value.
 */
export async function updateClaim(
  db: Db,
  key: RequestKey,
  claimId: string,
  { expiresAt, responseSealed = null }: { expiresAt: Date; responseSealed?: string | null },
): Promise<boolean> {
  const { rows } = await db.raw<{ rows: unknown[] }>(
    `update management_requests set response_sealed = :responseSealed, expires_at = :expiresAt
     where tenant_id = :tenantId and user_id = :userId and key = :key
       and response_sealed is null and id = :claimId
     returning 1`,
    { ...key, responseSealed, expiresAt, claimId },
  )
  return rows.length > 0
}

/**
 * Returns the stored request with this key. `responseSealed`, the encrypted response, is null until a request
 * that runs outside a transaction has ended (run-once-with-lease.ts).
 */
export async function findRequest(
  db: Db,
  key: RequestKey,
): Promise<{ requestHash: Buffer; responseSealed: string | null } | undefined> {
  const { rows } = await db.raw<{ rows: { requestHash: Buffer; responseSealed: string | null }[] }>(
    `select request_hash as "requestHash", response_sealed as "responseSealed" from management_requests
     where tenant_id = :tenantId and user_id = :userId and key = :key`,
    { ...key },
  )
  return rows[0]
}
