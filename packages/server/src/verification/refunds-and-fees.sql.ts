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
  /** The ID of the refund. For a fee, the ID of the payment. */
  id: string
  expected: bigint
  found: bigint
  /**
   * Whether a refund has the right number of debits in the ledger, which can be wrong even if the amounts are
   * equal. Always true for a fee.
   */
  isPostedOnce: boolean
}

const posted = `coalesce(sum(case e.entry_type when 'debit' then e.amount else -e.amount end), 0)::bigint`

const cursorOf = (after: PostedAmount | undefined) => ({
  isFirst: after === undefined,
  tenantId: after?.tenantId ?? null,
  id: after?.id ?? null,
})

/**
 * Lists refunds with the amounts of their ledger entries. A refund must be debited in full exactly once, and credited
 * back if it failed. A refund of money that was never credited must have no entry.
 */
export async function listPostedRefunds(
  db: Db,
  portion: Portion,
  after: PostedAmount | undefined,
  limit: number,
): Promise<PostedAmount[]> {
  const only = onlyPortion(portion)
  const { rows } = await db.raw<{ rows: PostedAmount[] }>(
    `select r.tenant_id as "tenantId", r.mode, r.payment_id as "paymentId", r.id, r.expected, ledger.found,
            ledger.debits = (r.source <> 'uncredited')::integer as "isPostedOnce"
     from (
       select *, case when status = 'failed' or source = 'uncredited' then 0 else amount end as expected from refunds
       where (:isFirst or (tenant_id, id) > (:tenantId::uuid, :id::uuid)) ${only('tenant_id')}
       order by tenant_id, id limit :limit
     ) r
     cross join lateral (
       select ${posted} as found, count(*) filter (where e.entry_type = 'debit') as debits from ledger_entries e
       where e.tenant_id = r.tenant_id and e.refund_id = r.id and e.payment_id = r.payment_id and e.mode = r.mode
         ${only('e.tenant_id')}
     ) ledger
     order by r.tenant_id, r.id`,
    { ...cursorOf(after), portion: portion ?? null, limit },
  )
  return rows
}

/**
 * Lists payments with their fee in the ledger and their stored fee (the charged fee plus later changes). The two fees
 * must be equal.
 */
export async function listPostedFees(
  db: Db,
  portion: Portion,
  after: PostedAmount | undefined,
  limit: number,
): Promise<PostedAmount[]> {
  const only = onlyPortion(portion)
  const { rows } = await db.raw<{ rows: PostedAmount[] }>(
    `select p.tenant_id as "tenantId", p.mode, p.id as "paymentId", p.id, stored.fee as expected, ledger.fee as found,
            true as "isPostedOnce"
     from (
       select tenant_id, id, mode from payments
       where (:isFirst or (tenant_id, id) > (:tenantId::uuid, :id::uuid)) ${only('tenant_id')}
       order by tenant_id, id limit :limit
     ) p
     cross join lateral (
       select coalesce(sum(f.net + f.tax), 0)::bigint as fee from fee_charges f
       where f.tenant_id = p.tenant_id and f.payment_id = p.id and f.mode = p.mode ${only('f.tenant_id')}
     ) stored
     cross join lateral (
       select ${posted} as fee from ledger_entries e
       where e.tenant_id = p.tenant_id and e.payment_id = p.id and e.mode = p.mode
         and e.counter_account = '${accountIdOf('fee:operator')}' ${only('e.tenant_id')}
     ) ledger
     order by p.tenant_id, p.id`,
    { ...cursorOf(after), portion: portion ?? null, limit },
  )
  return rows
}

/** A fee charged for a payment, and whether this payment exists in the fee's tenant and mode. */
export type ChargedFee = {
  tenantId: string
  mode: Mode
  paymentId: string
  number: number
  amount: bigint
  hasPayment: boolean
}

export async function listChargedFees(
  db: Db,
  portion: Portion,
  after: ChargedFee | undefined,
  limit: number,
): Promise<ChargedFee[]> {
  const only = onlyPortion(portion)
  const { rows } = await db.raw<{ rows: ChargedFee[] }>(
    `select f.tenant_id as "tenantId", f.mode, f.payment_id as "paymentId", f.number, f.net + f.tax as amount,
            p.id is not null as "hasPayment"
     from (
       select * from fee_charges
       where (:isFirst or (tenant_id, payment_id, number) > (:tenantId::uuid, :paymentId::uuid, :number::integer))
         ${only('tenant_id')}
       order by tenant_id, payment_id, number limit :limit
     ) f
     -- The limit makes PostgreSQL look up each payment by its index, instead of reading all payments for each page.
     left join lateral (
       select p.id from payments p
       where p.tenant_id = f.tenant_id and p.id = f.payment_id and p.mode = f.mode ${only('p.tenant_id')} limit 1
     ) p on true
     order by f.tenant_id, f.payment_id, f.number`,
    {
      isFirst: after === undefined,
      ...{
        tenantId: after?.tenantId ?? null,
        paymentId: after?.paymentId ?? null,
        number: after?.number ?? null,
      },
      ...{ portion: portion ?? null, limit },
    },
  )
  return rows
}
