import type { Db, Tx } from '../db/db.ts'
import { preparedStatement } from '../db/prepared-statement.ts'
import type { ClaimedRun } from './run.sql.ts'

type RunKey = Pick<ClaimedRun, 'day' | 'mode'>
export type PaymentToPoll = { tenantId: string; paymentId: string; accountId: string }

const insert = preparedStatement(
  `insert into reconciliation_checks (day, mode, tenant_id, payment_id, provider_account_id)
   select :day::date, :mode, * from unnest(:tenantIds::uuid[], :paymentIds::uuid[], :accountIds::uuid[])
   on conflict do nothing`,
)

/**
 * Adds payments to the list of payments for which the reconciliation run sends status inquiries. Payments already
 * on the list stay unchanged.
 */
export async function insertChecks(
  db: Db | Tx,
  { day, mode }: RunKey,
  checks: PaymentToPoll[],
): Promise<void> {
  if (checks.length === 0) return
  await insert(db, {
    day,
    mode,
    tenantIds: checks.map(({ tenantId }) => tenantId),
    paymentIds: checks.map(({ paymentId }) => paymentId),
    accountIds: checks.map(({ accountId }) => accountId),
  })
}

const accountsWaiting = preparedStatement<{ accountId: string }>(
  `select provider_account_id as "accountId" from reconciliation_checks
   where day = :day::date and mode = :mode and outcome is null group by provider_account_id order by min(payment_id::text)`,
)

/** Lists the provider accounts that still have unanswered status inquiries in this reconciliation run. */
export async function listWaitingAccounts(db: Db, { day, mode }: RunKey): Promise<string[]> {
  return (await accountsWaiting(db, { day, mode })).map(({ accountId }) => accountId)
}

const listWaiting = preparedStatement<PaymentToPoll>(
  `select tenant_id as "tenantId", payment_id as "paymentId", provider_account_id as "accountId"
   from reconciliation_checks
   where day = :day::date and mode = :mode and provider_account_id = :accountId::uuid and outcome is null
     and (tenant_id, payment_id) > (:afterTenantId::uuid, :afterPaymentId::uuid)
   order by tenant_id, payment_id limit :limit::integer`,
)
const FIRST = '00000000-0000-0000-0000-000000000000'

export const listWaitingChecks = (
  db: Db,
  { day, mode }: RunKey,
  accountId: string,
  after: PaymentToPoll | undefined,
  limit: number,
): Promise<PaymentToPoll[]> =>
  listWaiting(db, {
    day,
    mode,
    accountId,
    afterTenantId: after?.tenantId ?? FIRST,
    afterPaymentId: after?.paymentId ?? FIRST,
    limit,
  })

const finish = preparedStatement(
  `update reconciliation_checks set outcome = :outcome
   where day = :day::date and mode = :mode and tenant_id = :tenantId::uuid and payment_id = :paymentId::uuid`,
)

export async function finishCheck(
  db: Db | Tx,
  { day, mode }: RunKey,
  { tenantId, paymentId }: PaymentToPoll,
  outcome: 'answered' | 'untold',
): Promise<void> {
  await finish(db, { day, mode, tenantId, paymentId, outcome })
}

const drop = preparedStatement(
  `delete from reconciliation_checks where mode = :mode and day < :day::date - :days::integer`,
)

/**
 * Deletes the payment lists of reconciliation runs whose day is more than `days` days before this run's day. The totals
 * of those runs are kept.
 */
export async function deleteOldChecks(db: Db, { day, mode }: RunKey, days: number): Promise<void> {
  await drop(db, { day, mode, days })
}
