import type { Db, Tx } from '../db/db.ts'
import type { Mode } from '../mode.ts'

/** Everything that work reads is of one moment. */
export function inSnapshot(db: Db, work: (snapshot: Tx) => Promise<void>): Promise<void> {
  return db.transaction(work, { isolationLevel: 'repeatable read', readOnly: true })
}

/** Null where entries have no balance. */
export type BalanceRow = { tenantId: string; mode: Mode; balance: bigint | null; version: bigint | null }

/** A null id, and version 0: the balance has no entries. */
export type ChainEntry =
  | { entryId: null; entryVersion: bigint }
  | {
      entryId: string
      entryVersion: bigint
      entryType: 'credit' | 'debit'
      amount: bigint
      balanceAfter: bigint
    }

/** All entries, chain after chain; within one in posting order. Each with the balance of its chain. */
export async function listChains(
  tx: Tx,
  after: (BalanceRow & ChainEntry) | undefined,
  limit: number,
): Promise<(BalanceRow & ChainEntry)[]> {
  const { rows } = await tx.raw<{ rows: (BalanceRow & ChainEntry)[] }>(
    `select * from (
       (select e.tenant_id as "tenantId", e.mode, b.balance, b.version, e.id as "entryId", e.version as "entryVersion",
               e.entry_type as "entryType", e.amount, e.balance_after as "balanceAfter"
        from ledger_entries e left join balances b on b.tenant_id = e.tenant_id and b.mode = e.mode
        where :isFirst or (e.tenant_id, e.mode, e.version) > (:tenantId::uuid, :mode::text, :version::bigint)
        order by e.tenant_id, e.mode, e.version limit :limit)
       union all
       (select b.tenant_id, b.mode, b.balance, b.version, null, 0, null, null, null
        from balances b
        where (:isFirst or (b.tenant_id, b.mode, 0) > (:tenantId::uuid, :mode::text, :version::bigint))
          and not exists (select from ledger_entries e where e.tenant_id = b.tenant_id and e.mode = b.mode)
        order by b.tenant_id, b.mode limit :limit)
     ) chain order by "tenantId", mode, "entryVersion" limit :limit`,
    {
      isFirst: after === undefined,
      tenantId: after?.tenantId ?? null,
      mode: after?.mode ?? null,
      version: after?.entryVersion ?? null,
      limit,
    },
  )
  return rows
}

export type PaymentCredit = {
  tenantId: string
  paymentId: string
  paymentCode: string
  mode: Mode
  status: string
  amountPaid: bigint | null
  /** As the payment itself; what was credited besides has its own record. */
  credited: bigint | null
  /** In the balance of the payment's own mode. */
  isOneCredit: boolean
}

export async function listPaymentCredits(
  tx: Tx,
  after: PaymentCredit | undefined,
  limit: number,
): Promise<PaymentCredit[]> {
  const { rows } = await tx.raw<{ rows: PaymentCredit[] }>(
    `select p.tenant_id as "tenantId", p.id as "paymentId", p.payment_code as "paymentCode", p.mode, p.status,
            p.amount_paid as "amountPaid", credit.amount as credited, credit.is_one as "isOneCredit"
     from payments p
     left join lateral (
       select sum(e.amount)::bigint as amount, count(*) <= 1 and coalesce(bool_and(e.mode = p.mode), true) as is_one
       from ledger_entries e
       where e.tenant_id = p.tenant_id and e.payment_id = p.id and e.entry_type = 'credit'
         and e.unexpected_money_id is null
     ) credit on true
     where :isFirst or (p.tenant_id, p.id) > (:tenantId::uuid, :paymentId::uuid)
     order by p.tenant_id, p.id limit :limit`,
    {
      isFirst: after === undefined,
      tenantId: after?.tenantId ?? null,
      paymentId: after?.paymentId ?? null,
      limit,
    },
  )
  return rows
}
