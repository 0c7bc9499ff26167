import type { Db } from '../db/db.ts'
import type { Mode } from '../values/mode.ts'
import { onlyPortion, type Portion } from './portions.sql.ts'

/**
 * A range of a tenant's ledger entries, from `fromVersion` to `toVersion`. The job complete_books is adding the
 * counter-account (the other account of the transfer) to these entries (ledger/complete-books.ts).
 */
export type Completion = { tenantId: string; mode: Mode; fromVersion: bigint; toVersion: bigint }

export async function listCompletions(db: Db): Promise<Completion[]> {
  const { rows } = await db.raw<{ rows: Completion[] }>(
    `select tenant_id as "tenantId", mode, next_version as "fromVersion", last_version as "toVersion"
     from book_backfills`,
  )
  return rows
}

export type TransferRow = {
  tenantId: string
  mode: Mode
  id: string
  fromAccount: string
  toAccount: string
  amount: bigint
  paymentId: string | null
  /** True if the payment to which the transfer belongs exists in the same tenant and mode. */
  hasPayment: boolean
  /** True if the transfer's tenant has a balance (the account `merchant`) in the transfer's mode. */
  hasBook: boolean
}

/** Lists the ledger transfers between two accounts other than `merchant`. */
export async function listTransfers(
  db: Db,
  portion: Portion,
  after: TransferRow | undefined,
  limit: number,
): Promise<TransferRow[]> {
  const only = onlyPortion(portion)
  const { rows } = await db.raw<{ rows: TransferRow[] }>(
    `select t.tenant_id as "tenantId", t.mode, t.id, t.from_account as "fromAccount", t.to_account as "toAccount",
            t.amount, t.payment_id as "paymentId", p.id is not null as "hasPayment", b.tenant_id is not null as "hasBook"
     from (
       select * from book_transfers
       where (:isFirst or (tenant_id, id) > (:tenantId::uuid, :id::uuid)) ${only('tenant_id')}
       order by tenant_id, id limit :limit
     ) t
     -- The limits make PostgreSQL look up each row by an index. Otherwise, it could read whole tables for each page.
     left join lateral (
       select p.id from payments p
       where p.tenant_id = t.tenant_id and p.id = t.payment_id and p.mode = t.mode ${only('p.tenant_id')} limit 1
     ) p on true
     left join lateral (
       select b.tenant_id from balances b
       where b.tenant_id = t.tenant_id and b.mode = t.mode ${only('b.tenant_id')} limit 1
     ) b on true
     order by t.tenant_id, t.id`,
    {
      isFirst: after === undefined,
      tenantId: after?.tenantId ?? null,
      id: after?.id ?? null,
      ...{ portion: portion ?? null, limit },
    },
  )
  return rows
}

export type OrphanAccount = { tenantId: string; mode: Mode; id: string; balance: bigint }

/**
 * Lists the accounts in books (tenants' ledgers) without a balance of the account `merchant`. The verification of
 * ledger entries does not read these books, so it does not compare the accounts in them with their postings.
 */
export async function listOrphanAccounts(
  db: Db,
  portion: Portion,
  after: OrphanAccount | undefined,
  limit: number,
): Promise<OrphanAccount[]> {
  const only = onlyPortion(portion)
  const { rows } = await db.raw<{ rows: OrphanAccount[] }>(
    `select a.tenant_id as "tenantId", a.mode, a.account_id as id, a.balance
     from book_accounts a
     where not exists (
         select from balances b where b.tenant_id = a.tenant_id and b.mode = a.mode ${only('b.tenant_id')})
       and (:isFirst or (a.tenant_id, a.mode, a.account_id) > (:tenantId::uuid, :mode::text, :id::uuid))
       ${only('a.tenant_id')}
     order by a.tenant_id, a.mode, a.account_id limit :limit`,
    {
      isFirst: after === undefined,
      ...{ tenantId: after?.tenantId ?? null, mode: after?.mode ?? null, id: after?.id ?? null },
      ...{ portion: portion ?? null, limit },
    },
  )
  return rows
}
