import type { Db } from '../db/db.ts'
import { accountIdOf } from '../ledger/account.ts'
import type { Mode } from '../values/mode.ts'
import { onlyPortion, type Portion } from './portions.sql.ts'

/**
 * The expected and actual amounts of a refund or fee in the ledger. The actual amount is the sum of its debits
 * minus the sum of its credits, in cents.
 */
export type PostedAmount = {
  tenantId: string
  mode: Mode
  paymentId: string
  /** For a refund, the refund's id. For a fee, the payment's id. */
  id: string
  expected: bigint
  found: bigint
}

const posted = `coalesce(sum(case e.entry_type when 'debit' then e.amount else -e.amount end), 0)::bigint`

/**
 * Lists refunds whose full amount is not debited exactly once in the ledger. Also lists failed refunds whose amount was
 * not credited back, and refunds of never-credited money that have a ledger entry.
 */
export async function listUnequalRefunds(
  db: Db,
  portion: Portion,
  after: PostedAmount | undefined,
  limit: number,
): Promise<PostedAmount[]> {
  const only = onlyPortion(portion)
  const { rows } = await db.raw<{ rows: PostedAmount[] }>(
    `select r.tenant_id as "tenantId", r.mode, r.payment_id as "paymentId", r.id, r.expected, ledger.found
     from (
       select *, case when status = 'failed' or source = 'uncredited' then 0 else amount end as expected from refunds
       where (:tenantId::uuid is null or (tenant_id, id) > (:tenantId::uuid, :id::uuid)) ${only('tenant_id')}
     ) r
     cross join lateral (
       select ${posted} as found, count(*) filter (where e.entry_type = 'debit') as debits from ledger_entries e
       where e.tenant_id = r.tenant_id and e.refund_id = r.id and e.payment_id = r.payment_id and e.mode = r.mode
         ${only('e.tenant_id')}
     ) ledger
     where ledger.found <> r.expected or ledger.debits <> (r.source <> 'uncredited')::integer
     order by r.tenant_id, r.id limit :limit`,
    { tenantId: after?.tenantId ?? null, id: after?.id ?? null, portion: portion ?? null, limit },
  )
  return rows
}

/**
 * Lists payments whose fee in the ledger differs from the stored fee, which is the charged fee plus its later
 * changes.
 */
export async function listUnequalFees(
  db: Db,
  portion: Portion,
  after: PostedAmount | undefined,
  limit: number,
): Promise<PostedAmount[]> {
  const only = onlyPortion(portion)
  const { rows } = await db.raw<{ rows: PostedAmount[] }>(
    `select tenant_id as "tenantId", mode, payment_id as "paymentId", payment_id as id,
            sum(charged)::bigint as expected, sum(posted)::bigint as found
     from (
       select tenant_id, mode, payment_id, net + tax as charged, 0 as posted from fee_charges
       where true ${only('tenant_id')}
       union all
       select e.tenant_id, e.mode, e.payment_id, 0, case e.entry_type when 'debit' then e.amount else -e.amount end
       from ledger_entries e
       where e.counter_account = '${accountIdOf('fee:operator')}' and e.payment_id is not null ${only('e.tenant_id')}
     ) fee
     where :tenantId::uuid is null or (tenant_id, payment_id) > (:tenantId::uuid, :id::uuid)
     group by tenant_id, payment_id, mode having sum(charged) <> sum(posted)
     order by tenant_id, payment_id limit :limit`,
    { tenantId: after?.tenantId ?? null, id: after?.id ?? null, portion: portion ?? null, limit },
  )
  return rows
}
