import { messageColumns, type StoredMessage, withMessage } from '../callbacks/stored-message.ts'
import type { Db } from '../db/db.ts'
import { preparedStatement } from '../db/prepared-statement.ts'
import type { CallbackRequest } from '../providers/provider.ts'
import type { Mode } from '../values/mode.ts'
import { onlyPortion, type Portion } from './portions.sql.ts'

export type PaidByCallback = {
  tenantId: string
  paymentId: string
  paymentCode: string
  mode: Mode
  amountPaid: bigint
}

/** Lists the payments that became paid because of a provider's callback. */
export async function listPaidByCallback(
  db: Db,
  portion: Portion,
  after: PaidByCallback | undefined,
  limit: number,
): Promise<PaidByCallback[]> {
  const only = onlyPortion(portion)
  const { rows } = await db.raw<{ rows: PaidByCallback[] }>(
    `select p.tenant_id as "tenantId", p.id as "paymentId", p.payment_code as "paymentCode", p.mode,
            p.amount_paid as "amountPaid"
     from payments p
     where (:isFirst or (p.tenant_id, p.id) > (:tenantId::uuid, :paymentId::uuid)) and p.status = 'paid'
       ${only('p.tenant_id')}
       and exists (
         select from payment_transitions t
         where t.tenant_id = p.tenant_id and t.payment_id = p.id and t.to_status = 'paid' and t.cause = 'callback'
           ${only('t.tenant_id')})
     order by p.tenant_id, p.id limit :limit`,
    {
      isFirst: after === undefined,
      tenantId: after?.tenantId ?? null,
      paymentId: after?.paymentId ?? null,
      ...{ portion: portion ?? null, limit },
    },
  )
  return rows
}

/** A stored provider callback that was applied to a payment. */
export type AppliedCallback = CallbackRequest & {
  paymentId: string
  provider: string
  providerAccountId: string
  mode: Mode
}

const listApplied = preparedStatement<Omit<AppliedCallback, 'headers' | 'body'> & StoredMessage>(
  `select c.payment_id as "paymentId", c.provider, c.provider_account_id as "providerAccountId", a.mode, c.path,
          ${messageColumns}, c.received_at as "receivedAt"
   from provider_callbacks c join provider_accounts a on a.id = c.provider_account_id
   where c.payment_id = any(:paymentIds::uuid[]) and c.status = 'applied'`,
)

export const listAppliedCallbacks = async (db: Db, paymentIds: string[]): Promise<AppliedCallback[]> =>
  (await listApplied(db, { paymentIds })).map(withMessage)
