// Provides the payments for a benchmark: existing payments to read, and new payments that are not paid yet.

import { randomBytes } from 'node:crypto'
import type { StoredFeeTerms } from '../../packages/server/src/fees/stored-fee-rule.ts'
import type { Database } from './database.ts'
import { query } from './query.ts'

/** Returns random payments from the whole table, each with an API key of the payment's tenant. */
export async function anyPayments(
  { url, tenants }: Database,
  count: number,
): Promise<{ key: string; id: string }[]> {
  const keysOf = new Map(tenants.map(({ id, keys }) => [id, keys]))
  const rows = await query<{ tenant_id: string; id: string }>(
    url,
    `select tenant_id, id from payments where mode = 'live' and status <> 'charging' order by random() limit $1`,
    [count],
  )
  return rows.flatMap(({ tenant_id, id }, n) => {
    const keys = keysOf.get(tenant_id)
    return keys ? [{ key: keys[n % keys.length] as string, id }] : []
  })
}

/** The amount in rupiah of every pending payment that this file creates. */
export const AMOUNT_RUPIAH = 100_000

export type Pending = { tenantId: string; id: string; reference: string }

/**
 * Inserts pending payments, spread evenly over the first `spread` tenants. Their next status inquiry is at least a
 * day away, so the worker polls no provider during a measurement. With `feeTerms`, a paid payment is charged a fee.
 */
export async function insertPending(
  { url, tenants, account }: Database,
  count: number,
  spread = tenants.length,
  feeTerms: StoredFeeTerms | null = null,
): Promise<Pending[]> {
  return query<Pending>(
    url,
    `with made as (
       insert into payments (
         tenant_id, id, mode, payment_code, idempotency_key, fingerprint, amount, currency, method_type, channel,
         method_detail, method_data, status, transition_count, provider, provider_account_id, provider_payment_id,
         expiry_minutes, expires_at, next_check_at, fee_terms, created_at, updated_at)
       select ($1::uuid[])[1 + n % cardinality($1::uuid[])], uuidv7(), 'live',
              'GP' || to_char(now(), 'YYMMDD') || '-' || $3 || upper(lpad(to_hex(n), 5, '0')), $3 || '-' || n,
              sha256($3::bytea), $4, 'IDR', 'virtual_account', 'bca', '{"type": "virtual_account", "bank": "BCA"}',
              '{"type": "virtual_account", "bank": "BCA", "va_number": "812785002530231"}', 'pending', 1, 'midtrans',
              $2, $3 || '-' || n, 2880, now() + interval '2 days', now() + interval '1 day', $6::jsonb, now(),
              now()
       from generate_series(0, $5::integer - 1) n
       returning tenant_id, id, payment_code, provider_account_id, created_at
     ), moved as (
       insert into payment_transitions (tenant_id, payment_id, number, at, from_status, to_status, cause)
       select tenant_id, id, 1, created_at, 'charging', 'pending', 'create' from made
     )
     insert into payment_references (reference, tenant_id, payment_id, provider_account_id, provider, started_at)
     select payment_code, tenant_id, id, provider_account_id, 'midtrans', created_at from made
     returning tenant_id as "tenantId", payment_id as id, reference`,
    [
      tenants.slice(0, spread).map(({ id }) => id),
      account.id,
      randomBytes(3).toString('hex').slice(0, 5).toUpperCase(),
      AMOUNT_RUPIAH * 100,
      count,
      feeTerms && JSON.stringify(feeTerms),
    ],
  )
}

/**
 * Discards the callbacks that an earlier benchmark left unprocessed, because otherwise the worker of the next
 * benchmark would process them.
 */
export const dropCallbacks = ({ url }: Database): Promise<unknown> =>
  query(
    url,
    `with dropped as (update provider_callbacks set status = 'ignored' where status = 'received')
     delete from graphile_worker._private_jobs`,
  )
