import type { Db, Tx } from '../db/db.ts'
import type { PaymentKey } from '../payments/payment.sql.ts'
import { recordColumns } from '../payments/unexpected-money.sql.ts'
import {
  type UnexpectedKind,
  type UnexpectedStatus,
  unexpectedStatuses,
} from '../payments/unexpected-money.ts'
import type { KeptMoney } from './decision.ts'

const columns = `${recordColumns}, p.payment_code as "paymentCode"`

const withPayment = 'left join payments p on p.tenant_id = m.tenant_id and p.id = m.payment_id'

export type MoneyFilter = {
  status: UnexpectedStatus | null
  kind: UnexpectedKind | null
  provider: string | null
  paymentId: string | null
}

/** Newest first: a page of each status, merged; or of the few that are about one payment. */
export async function listUnexpectedMoney(
  db: Db,
  filter: MoneyFilter,
  afterId: string | undefined,
  limit: number,
): Promise<KeptMoney[]> {
  const statuses = filter.status === null ? unexpectedStatuses : [filter.status]
  const { rows } = await db.raw<{ rows: KeptMoney[] }>(
    `select ${columns}
     from (${filter.paymentId === null ? newestOf(statuses) : aboutPayment}) page
     join unexpected_money m on m.id = page.id ${withPayment}
     order by m.id desc`,
    {
      ...filter,
      statuses,
      afterId: afterId ?? null,
      limit,
    },
  )
  return rows
}

const wanted = `
  (:kind::text is null or m.kind = :kind) and (:provider::text is null or m.provider = :provider)
  and (:afterId::uuid is null or m.id < :afterId)`

/**
 * One look into the index by status for each of them. Named in the text and not bound, so that the planner sees how
 * few are open and does not walk over all the others to find them.
 */
const newestOf = (statuses: readonly UnexpectedStatus[]): string => `
  select newest.id
  from (${statuses
    .map(
      status =>
        `(select m.id from unexpected_money m where m.status = '${status}' and ${wanted} order by m.id desc limit :limit)`,
    )
    .join(' union all ')}) newest
  order by newest.id desc limit :limit`

/** One look for each tenant: the index has the tenant in front. */
const aboutPayment = `
  select m.id from tenants t join unexpected_money m on m.tenant_id = t.id and m.payment_id = :paymentId
  where m.status = any(:statuses) and ${wanted}
  order by m.id desc limit :limit`

export async function findUnexpectedMoney(db: Db, id: string): Promise<KeptMoney | undefined> {
  const { rows } = await db.raw<{ rows: KeptMoney[] }>(
    `select ${columns} from unexpected_money m ${withPayment} where m.id = ?`,
    [id],
  )
  return rows[0]
}

/** It is never deleted, so one that was found is there. */
export async function lockUnexpectedMoney(tx: Tx, id: string): Promise<KeptMoney> {
  const { rows } = await tx.raw<{ rows: KeptMoney[] }>(
    `select ${columns} from unexpected_money m ${withPayment} where m.id = ? for update of m`,
    [id],
  )
  return rows[0] as KeptMoney
}

/** Whether the amount of the payment came in other parts, too, on which nobody has decided. */
export async function hasOtherOpenParts(
  tx: Tx,
  { tenantId, paymentId }: PaymentKey,
  id: string,
): Promise<boolean> {
  const { rows } = await tx.raw<{ rows: unknown[] }>(
    `select from unexpected_money
     where tenant_id = ? and payment_id = ? and kind = 'underpaid' and status = 'open' and id <> ? limit 1`,
    [tenantId, paymentId, id],
  )
  return rows.length > 0
}

/** Whether the provider has taken back, since this money came, what the payment's own receipt brought. */
export async function isTakenBack(tx: Tx, { tenantId, paymentId, round }: KeptMoney): Promise<boolean> {
  const { rows } = await tx.raw<{ rows: unknown[] }>(
    `select from unexpected_money
     where tenant_id = ? and payment_id = ? and kind = 'reversal' and round >= ? limit 1`,
    [tenantId, paymentId, round],
  )
  return rows.length > 0
}

/** Of its own: what paid a payment has the payment's. */
export async function hasCredit(tx: Tx, { tenantId, id }: KeptMoney): Promise<boolean> {
  const { rows } = await tx.raw<{ rows: unknown[] }>(
    `select from ledger_entries where tenant_id = ? and unexpected_money_id = ? and entry_type = 'credit'`,
    [tenantId, id],
  )
  return rows.length > 0
}
