import type { Db, Tx } from '../db/db.ts'
import { isDistributed } from '../db/distributed-database.ts'
import { preparedStatement } from '../db/prepared-statement.ts'
import { queryShards } from '../db/shard-query.ts'
import type { Payment } from './payment.ts'

export type ProviderPaymentId = { providerAccountId: string; providerPaymentId: string }
export type PaymentByProviderId = ProviderPaymentId &
  Pick<Payment, 'tenantId' | 'paymentCode' | 'attempt'> & { paymentId: string }

const columns = `p.provider_account_id as "providerAccountId", p.provider_payment_id as "providerPaymentId",
          p.tenant_id as "tenantId", p.id as "paymentId", p.payment_code as "paymentCode", p.attempt`

const find = preparedStatement<PaymentByProviderId>(
  `select ${columns}
   from unnest(:accounts::uuid[], :ids::text[]) as k (account, id)
   cross join lateral (
     select * from payments where provider_account_id = k.account and provider_payment_id = k.id limit 2
   ) p`,
)

const findOne = `select ${columns} from payments p
   where p.provider_account_id = :providerAccountId and p.provider_payment_id = :providerPaymentId limit 2`

/**
 * Finds payments by provider account and the provider's payment id for the latest charge attempt. Returns all
 * payments with an id, so that the caller can detect an ambiguous id.
 */
export async function findPaymentsByProviderId(
  db: Db | Tx,
  ids: ProviderPaymentId[],
): Promise<PaymentByProviderId[]> {
  if (isDistributed(db)) {
    const found: PaymentByProviderId[] = []
    for (const id of ids) found.push(...(await queryShards<PaymentByProviderId>(db, 'payments', findOne, id)))
    return found
  }
  return find(db, {
    accounts: ids.map(each => each.providerAccountId),
    ids: ids.map(each => each.providerPaymentId),
  })
}
