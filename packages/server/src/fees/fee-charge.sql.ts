import type { Tx } from '../db/db.ts'
import { shardedStatement } from '../db/distributed-database.ts'
import type { FeeCharge } from './fee-charge.ts'

const insert = shardedStatement(
  (_, onShard) => `insert into fee_charges (
     tenant_id, payment_id, number, mode, method_type, channel, net, tax, operator_net, operator_tax, charged_at)
   select ${onShard('p.tenant_id, c.payment_id, c.number, c.mode, c.method_type, c.channel, net, tax, operator_net, operator_tax', 'c.*')}, :at
   from unnest(
     :tenantIds::uuid[], :paymentIds::uuid[], :numbers::integer[], :modes::text[], :methodTypes::text[], :channels::text[],
     :nets::bigint[], :taxes::bigint[], :operatorNets::bigint[], :operatorTaxes::bigint[]) c
   ${onShard(`(tenant_id, payment_id, number, mode, method_type, channel, net, tax, operator_net, operator_tax)
   join payments p on p.tenant_id = :onlyKey and p.id = c.payment_id`)}`,
)

const charges = shardedStatement<FeeCharge>(
  only => `select f.tenant_id as "tenantId", f.payment_id as "paymentId", f.number, f.mode, f.method_type as "methodType",
          f.channel, f.net, f.tax, f.operator_net as "operatorNet", f.operator_tax as "operatorTax"
   from unnest(:tenantIds::uuid[], :paymentIds::uuid[]) as k (tenant_id, payment_id)
   join fee_charges f on f.tenant_id = k.tenant_id and f.payment_id = k.payment_id ${only('f.tenant_id')}`,
)

/** Lists the fees charged when these payments were credited, and all later changes of these fees. */
export const listFeeCharges = (
  tx: Tx,
  payments: { tenantId: string; id: string }[],
): Promise<FeeCharge[]> => {
  const tenantIds = payments.map(each => each.tenantId)
  return charges(tx, tenantIds, { tenantIds, paymentIds: payments.map(each => each.id) })
}

/**
 * Inserts the fees for several payments in one statement. A second fee for the same payment would violate the
 * primary key, so the statement fails.
 */
export async function insertFeeCharges(tx: Tx, charges: FeeCharge[], at: Date): Promise<void> {
  const tenantIds = charges.map(each => each.tenantId)
  await insert(tx, tenantIds, {
    tenantIds,
    paymentIds: charges.map(each => each.paymentId),
    numbers: charges.map(each => each.number),
    modes: charges.map(each => each.mode),
    methodTypes: charges.map(each => each.methodType),
    channels: charges.map(each => each.channel),
    nets: charges.map(each => each.net),
    taxes: charges.map(each => each.tax),
    operatorNets: charges.map(each => each.operatorNet),
    operatorTaxes: charges.map(each => each.operatorTax),
    at,
  })
}
