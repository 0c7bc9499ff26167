import type { Db, Tx } from '../db/db.ts'

/**
 * Erases payers' data from payments and their refunds. Returns the number of payments that had such data.
 */
export async function eraseCustomers(
  db: Db | Tx,
  tenantId: string,
  paymentIds: string[],
  at: Date,
): Promise<number> {
  const { rows } = await db.raw<{ rows: { count: number }[] }>(
    'select erase_customers(:tenantId, :paymentIds, :at) as count',
    { tenantId, paymentIds, at },
  )
  return rows[0]?.count ?? 0
}

/** A position after every payment ID, because the digit for the version of a UUID is never f. */
export const AFTER_ALL_PAYMENTS = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** The payments of one customer among some candidates. `lastCandidate` is undefined if there are no candidates. */
export type CustomerPayments = { ids: string[]; candidates: number; lastCandidate: string | undefined }

/**
 * Reads up to `limit` candidates before `beforeId`, newest first, and returns the IDs of those whose payer has
 * exactly this email address or phone number. `query` is the full-text search query that finds the candidates.
 */
export async function paymentsOfCustomer(
  db: Db | Tx,
  tenantId: string,
  query: string,
  { email, phone }: { email: string | null; phone: string | null },
  { beforeId, limit }: { beforeId: string; limit: number },
): Promise<CustomerPayments> {
  // Two statements, because a Citus cluster could not run the function on a node with rows of `payments`.
  const candidates = await db.raw<{ rows: { id: string }[] }>(
    `select id from search_payments(:tenantId, lower(:query)::tsquery, '00000000-0000-0000-0000-000000000000',
       :beforeId, true, :limit) as id`,
    { tenantId, query, beforeId, limit },
  )
  const candidateIds = candidates.rows.map(({ id }) => id)
  const { rows } = await db.raw<{ rows: { id: string }[] }>(
    `select p.id from payments p
     where p.tenant_id = :tenantId and p.id = any(:candidateIds)
       and (lower(p.customer_email) = lower(:email) or search_phone(p.customer_phone) = :phone)
     order by p.id desc`,
    { tenantId, candidateIds, email, phone },
  )
  return {
    ids: rows.map(({ id }) => id),
    candidates: candidateIds.length,
    lastCandidate: candidateIds.at(-1),
  }
}

/**
 * Returns a tenant's next payments whose payers' data must be erased, oldest first. The list starts after the last
 * payment erased by an earlier call and ends before `beforeId`.
 */
export async function listPaymentsToErase(
  db: Db,
  tenantId: string,
  beforeId: string,
  limit: number,
): Promise<string[]> {
  const { rows } = await db.raw<{ rows: { id: string }[] }>(
    `select id from payments
     where tenant_id = :tenantId and id < :beforeId
       and id > coalesce((select erased_to from customer_erasures where tenant_id = :tenantId),
                         '00000000-0000-0000-0000-000000000000')
     order by id limit :limit`,
    { tenantId, beforeId, limit },
  )
  return rows.map(({ id }) => id)
}

export async function storeErasedTo(tx: Tx, tenantId: string, erasedTo: string): Promise<void> {
  await tx.raw(
    `insert into customer_erasures as e (tenant_id, erased_to) values (:tenantId, :erasedTo)
     on conflict (tenant_id) do update set erased_to = greatest(e.erased_to, excluded.erased_to)`,
    { tenantId, erasedTo },
  )
}
