import type { Db, Tx } from '../db/db.ts'
import { shardedStatement } from '../db/distributed-database.ts'
import type { Cents } from '../values/money.ts'

/**
 * The sum of a payment's ledger entries: its credits minus its debits, without fees. If more was debited than credited,
 * the total is negative.
 */
export type PaymentTotal = { tenantId: string; paymentId: string; total: Cents }

const totals = shardedStatement<PaymentTotal>(
  only => `select e.tenant_id as "tenantId", e.payment_id as "paymentId",
     sum(case e.entry_type when 'credit' then e.amount else -e.amount end)::bigint as total
   from unnest(:tenantIds::uuid[], :paymentIds::uuid[]) as k (tenant_id, payment_id)
   join ledger_entries e on e.tenant_id = k.tenant_id and e.payment_id = k.payment_id ${only('e.tenant_id')}
   where e.counter_account is distinct from '00000000-0000-0000-0000-000000000003'
     and e.counter_account is distinct from '00000000-0000-0000-0000-000000000004'
   group by e.tenant_id, e.payment_id`,
)

/** Adds up the ledger entries of the given payments. A payment without entries is not in the result. */
export const listPaymentTotals = (
  db: Db | Tx,
  keys: { tenantId: string; paymentId: string }[],
): Promise<PaymentTotal[]> => {
  const tenantIds = keys.map(each => each.tenantId)
  return totals(db, tenantIds, { tenantIds, paymentIds: keys.map(each => each.paymentId) })
}
