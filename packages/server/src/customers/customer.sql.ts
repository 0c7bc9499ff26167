import type { Db, Tx } from '../db/db.ts'

/** Erases payers' data from payments and their refunds. Returns the number of payments that had such data. */
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

/**
 * A list position after all payments. Payment IDs are UUIDs, whose version digit is never f, so each of them
 * sorts before this value.
 */
export const AFTER_ALL_PAYMENTS = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/**
 * One search's result. `ids` are the IDs of the customer's payments. `candidates` is the number of payments searched,
 * and `lastCandidate` is the ID of the last payment searched, or undefined if there was none.
 */
export type CustomerPayments = { ids: string[]; candidates: number; lastCandidate: string | undefined }

/**
 * Searches for payments whose payer has exactly this email address or phone number. An empty text matches no payment,
 * because many payments have no email address or phone number. Checks only the newest `limit` payments before
 * `beforeId` that match the full-text query `query`.
 */
export async function paymentsOfCustomer(
  db: Db | Tx,
  tenantId: string,
  query: string,
  { email, phone }: { email: string | null; phone: string | null },
  { beforeId, limit }: { beforeId: string; limit: number },
): Promise<CustomerPayments> {
  // The search and the comparison are separate statements, because a Citus node that stores rows of
  // `payments` cannot run the function `search_payments`.
  const candidates = await db.raw<{ rows: { id: string }[] }>(
    `select id from search_payments(:tenantId, lower(:query)::tsquery, '00000000-0000-0000-0000-000000000000',
       :beforeId, true, :limit) as id`,
    { tenantId, query, beforeId, limit },
  )
  const candidateIds = candidates.rows.map(({ id }) => id)
  const { rows } = await db.raw<{ rows: { id: string }[] }>(
    `select p.id from payments p
     where p.tenant_id = :tenantId and p.id = any(:candidateIds)
       and (lower(p.customer_email) = lower(nullif(:email, ''))
         or search_phone(p.customer_phone) = nullif(:phone, ''))
     order by p.id desc`,
    { tenantId, candidateIds, email, phone },
  )
  return {
    ids: rows.map(({ id }) => id),
    candidates: candidateIds.length,
    lastCandidate: candidateIds.at(-1),
  }
}

/** True if the payment `p` or one of its refunds stores data of the payer. */
const hasPayerData = `(
  p.customer_name <> '' or p.customer_email <> '' or p.customer_phone <> '' or p.customer_ip is not null
  or exists (select from refunds r
             where r.tenant_id = :tenantId and r.payment_id = p.id and r.bank_account is not null))`

/**
 * Returns whether the payment stores data of the payer that was not erased yet. Once it was erased, the bank account of a
 * pending refund is erased automatically when the refund becomes final.
 */
export async function hasErasableData(db: Db, tenantId: string, paymentId: string): Promise<boolean> {
  const { rows } = await db.raw<{ rows: { isErasable: boolean }[] }>(
    `select p.customer_erased_at is null and ${hasPayerData} as "isErasable"
     from payments p where p.tenant_id = :tenantId and p.id = :paymentId`,
    { tenantId, paymentId },
  )
  return rows[0]?.isErasable ?? false
}

/** `hasData` is true if the payment or one of its refunds stores data of the payer. */
export type OldPayment = { id: string; hasData: boolean }

/**
 * Lists a tenant's next payments whose payer data is old enough to be erased, oldest first. The list starts after the
 * last payment of the previous list and ends before `beforeId`. It includes payments without payer data, so that one
 * call never reads more than `limit` payments.
 */
export async function listPaymentsToErase(
  db: Db,
  tenantId: string,
  beforeId: string,
  limit: number,
): Promise<OldPayment[]> {
  const { rows } = await db.raw<{ rows: OldPayment[] }>(
    `select p.id, ${hasPayerData} as "hasData"
     from payments p
     where p.tenant_id = :tenantId and p.id < :beforeId
       and p.id > coalesce((select all_erased_to from customer_erasures where tenant_id = :tenantId),
                           '00000000-0000-0000-0000-000000000000')
     order by p.id limit :limit`,
    { tenantId, beforeId, limit },
  )
  return rows
}

/**
 * Stores the ID of the last payment up to which the payers' data was erased. The same ID is also written to
 * `erased_to`, which the previous release and the trigger on refunds read
 * (migrations/0116_erase_internal_payments.sql).
 */
export async function storeErasedTo(db: Db | Tx, tenantId: string, erasedTo: string): Promise<void> {
  await db.raw(
    `insert into customer_erasures as e (tenant_id, erased_to, all_erased_to) values (:tenantId, :erasedTo, :erasedTo)
     on conflict (tenant_id) do update set erased_to = greatest(e.erased_to, excluded.erased_to),
       all_erased_to = greatest(e.all_erased_to, excluded.all_erased_to)`,
    { tenantId, erasedTo },
  )
}
