import type { Db } from '../db/db.ts'
import { accountIdOf } from '../ledger/account.ts'
import type { SealedEntry } from '../ledger/entry-bytes.ts'
import type { Mode } from '../values/mode.ts'
import { onlyPortion, type Portion } from './portions.sql.ts'

/**
 * The stored balance of a chain of ledger entries (a tenant's entries in one mode). `balance` and `version`
 * are null if entries or seals (hashes of entries) exist, but no row stores the balance.
 */
export type BalanceRow = { tenantId: string; mode: Mode; balance: bigint | null; version: bigint | null }

/**
 * An account in a tenant's book (ledger), with amounts in cents. `balance` is the stored balance, or null if
 * no row stores the account. `transferred` is the sum of those transfers of the account that are not ledger
 * entries.
 */
export type StoredAccount = { id: string; balance: string | null; transferred: string }

/**
 * A row in the chain of a balance: a ledger entry or a seal (hash of entries) at the position `at`. A seal
 * follows its last entry and has the same position. A balance without entries and seals has one row of the kind
 * `nothing` at position 0.
 */
export type ChainRow = BalanceRow & { at: bigint } & (
    | { kind: 'nothing'; accounts: StoredAccount[] }
    | ({
        kind: 'entry'
        entryType: 'credit' | 'debit'
        /**
         * The other account in the entry's transfer. Null for an entry from an earlier version until a job adds the
         * account (ledger/complete-books.ts).
         */
        counterAccount: string | null
        /**
         * All accounts in the tenant's double-entry ledger. Only the row of a chain's last entry contains
         * them; in the rows of earlier entries, this field is null.
         */
        accounts: StoredAccount[] | null
      } & Omit<SealedEntry, 'tenantId' | 'mode' | 'version'>)
    | { kind: 'seal'; fromVersion: bigint; previousHash: Buffer; hash: Buffer; round: bigint }
  )

/**
 * If a seal and an entry have the same position `at`, the seal comes second. With this fixed order, the next page can
 * continue exactly after the last row of the previous page.
 */
const rank: Record<ChainRow['kind'], number> = { nothing: 0, entry: 0, seal: 1 }

/**
 * Lists all ledger entries and seals (hashes of entries) in posting order, one chain after the other. A chain
 * contains the entries and seals of one balance. Each row has its chain's stored balance. The last row of a chain
 * also has all stored accounts of the tenant's double-entry ledger.
 */
export async function listChains(
  db: Db,
  portion: Portion,
  after: ChainRow | undefined,
  limit: number,
): Promise<ChainRow[]> {
  const only = onlyPortion(portion)
  const { rows } = await db.raw<{ rows: ChainRow[] }>(
    `select chain."tenantId", chain.mode, b.balance, b.version, chain.kind, chain.at, chain.id, chain."paymentId",
            chain."entryType", chain.amount, chain."balanceAfter", chain."referenceId", chain.reason, chain."createdAtUs",
            chain."unexpectedMoneyId", chain."counterAccount", book.accounts, chain."fromVersion", chain."previousHash", chain.hash, chain.round
     from (
       (select tenant_id as "tenantId", mode, version as at, 0 as rank, 'entry' as kind, id, payment_id as "paymentId",
               entry_type as "entryType", amount, balance_after as "balanceAfter", reference_id as "referenceId", reason,
               (extract(epoch from created_at) * 1000000)::bigint as "createdAtUs",
               unexpected_money_id as "unexpectedMoneyId", counter_account as "counterAccount",
               null::bigint as "fromVersion", null::bytea as "previousHash", null::bytea as hash, null::bigint as round
        from ledger_entries
        where (:isFirst or (tenant_id, mode, version) > (:tenantId::uuid, :mode::text, :at::bigint)) ${only('tenant_id')}
        order by tenant_id, mode, version limit :limit)
       union all
       (select tenant_id, mode, to_version, 1, 'seal', null, null, null, null, null, null, null, null, null, null,
               from_version, previous_hash, hash, round
        from ledger_seals
        where (:isFirst or (tenant_id, mode, to_version, 1) > (:tenantId::uuid, :mode::text, :at::bigint, :rank))
          ${only('tenant_id')}
        order by tenant_id, mode, to_version limit :limit)
       union all
       (select tenant_id, mode, 0, 0, 'nothing', null, null, null, null, null, null, null, null, null, null,
               null, null, null, null
        from balances empty
        where (:isFirst or (tenant_id, mode, 0) > (:tenantId::uuid, :mode::text, :at::bigint)) ${only('empty.tenant_id')}
          and not exists (
            select from ledger_entries e
            where e.tenant_id = empty.tenant_id and e.mode = empty.mode ${only('e.tenant_id')})
          and not exists (
            select from ledger_seals s
            where s.tenant_id = empty.tenant_id and s.mode = empty.mode ${only('s.tenant_id')})
        order by tenant_id, mode limit :limit)
       order by 1, 2, 3, 4 limit :limit
     ) chain
     left join balances b on b.tenant_id = chain."tenantId" and b.mode = chain.mode ${only('b.tenant_id')}
     left join lateral (
       select coalesce(jsonb_agg(jsonb_build_object(
                'id', id, 'balance', a.balance::text, 'transferred', coalesce(t.net, 0)::text)), '[]') as accounts
       from (
         select account_id as id, balance from book_accounts
         where tenant_id = chain."tenantId" and mode = chain.mode ${only('tenant_id')}
       ) a
       full join (
         select posting.id, sum(posting.net) as net
         from book_transfers moved
         cross join lateral (values (moved.to_account, moved.amount), (moved.from_account, -moved.amount)) posting (id, net)
         where moved.tenant_id = chain."tenantId" and moved.mode = chain.mode ${only('moved.tenant_id')}
         group by posting.id
       ) t using (id)
     ) book on chain.kind <> 'seal' and chain.at = b.version
     order by chain."tenantId", chain.mode, chain.at, chain.rank`,
    {
      isFirst: after === undefined,
      tenantId: after?.tenantId ?? null,
      mode: after?.mode ?? null,
      at: after?.at ?? null,
      rank: after === undefined ? null : rank[after.kind],
      ...{ portion: portion ?? null, limit },
    },
  )
  return rows
}

/**
 * A ledger entry, with flags that show whether its payment, its record of unexpected money and its refund
 * exist in its tenant and mode.
 */
export type EntryCause = {
  tenantId: string
  mode: Mode
  version: bigint
  id: string
  paymentId: string | null
  /** True if the entry's payment exists, or if the entry has no payment. */
  hasPayment: boolean
  /** True if the record of unexpected money that the entry refers to exists, or if the entry refers to none. */
  hasMoney: boolean
  /** True if the entry's refund exists and belongs to the entry's payment, or if the entry has no refund. */
  hasRefund: boolean
}

/**
 * Lists ledger entries, and whether the payment, the refund and the record of unexpected money of each entry exist. A
 * debit for a payment needs a record of unexpected money, unless the debit is a fee or belongs to a refund.
 */
export async function listEntryCauses(
  db: Db,
  portion: Portion,
  after: EntryCause | undefined,
  limit: number,
): Promise<EntryCause[]> {
  const only = onlyPortion(portion)
  const { rows } = await db.raw<{ rows: EntryCause[] }>(
    `select e.tenant_id as "tenantId", e.mode, e.version, e.id, e.payment_id as "paymentId",
            e.payment_id is null or p.id is not null as "hasPayment",
            m.id is not null
              or e.unexpected_money_id is null
                and (e.entry_type = 'credit' or e.refund_id is not null or e.payment_id is null
                     or coalesce(e.counter_account = '${accountIdOf('fee:operator')}', false)) as "hasMoney",
            e.refund_id is null or r.id is not null as "hasRefund"
     from (
       select * from ledger_entries
       where (:isFirst or (tenant_id, mode, version) > (:tenantId::uuid, :mode::text, :version::bigint))
         ${only('tenant_id')}
       order by tenant_id, mode, version limit :limit
     ) e
     -- The limits make PostgreSQL look up each row by an index. Otherwise, it could read whole tables for each page.
     left join lateral (
       select p.id from payments p
       where p.tenant_id = e.tenant_id and p.id = e.payment_id and p.mode = e.mode ${only('p.tenant_id')} limit 1
     ) p on true
     left join lateral (
       select m.id from unexpected_money m
       where m.id = e.unexpected_money_id and m.tenant_id = e.tenant_id and m.payment_id = e.payment_id
         and m.mode = e.mode and (e.entry_type = 'debit' or m.kind <> 'reversal')
       limit 1
     ) m on true
     left join lateral (
       select r.id from refunds r
       where r.tenant_id = e.tenant_id and r.id = e.refund_id and r.payment_id = e.payment_id and r.mode = e.mode
         ${only('r.tenant_id')}
       limit 1
     ) r on true
     order by e.tenant_id, e.mode, e.version`,
    {
      isFirst: after === undefined,
      tenantId: after?.tenantId ?? null,
      mode: after?.mode ?? null,
      version: after?.version ?? null,
      ...{ portion: portion ?? null, limit },
    },
  )
  return rows
}

export async function hasStatement(db: Db): Promise<boolean> {
  const { rows } = await db.raw<{ rows: [{ found: boolean }] }>(
    'select exists (select from ledger_statements) as found',
  )
  return rows[0].found
}

export type PaymentCredit = {
  tenantId: string
  paymentId: string
  paymentCode: string
  mode: Mode
  status: string
  amountPaid: bigint | null
  /**
   * The sum of the credits for the payment itself, in cents. Credits for additional money are not included, because
   * additional money has its own records of unexpected money.
   */
  credited: bigint | null
  /**
   * True if the payment was credited at most once, and this credit was posted to the balance for the payment's mode.
   * Credits for additional money are not counted.
   */
  isOneCredit: boolean
}

export async function listPaymentCredits(
  db: Db,
  portion: Portion,
  after: PaymentCredit | undefined,
  limit: number,
): Promise<PaymentCredit[]> {
  const only = onlyPortion(portion)
  const { rows } = await db.raw<{ rows: PaymentCredit[] }>(
    `select p.tenant_id as "tenantId", p.id as "paymentId", p.payment_code as "paymentCode", p.mode, p.status,
            p.amount_paid as "amountPaid", credit.amount as credited, credit.is_one as "isOneCredit"
     from payments p
     left join lateral (
       select sum(e.amount)::bigint as amount, count(*) <= 1 and coalesce(bool_and(e.mode = p.mode), true) as is_one
       from ledger_entries e
       where e.tenant_id = p.tenant_id and e.payment_id = p.id and e.entry_type = 'credit'
         and e.unexpected_money_id is null and e.refund_id is null
         and e.counter_account is distinct from '${accountIdOf('fee:operator')}' ${only('e.tenant_id')}
     ) credit on true
     where (:isFirst or (p.tenant_id, p.id) > (:tenantId::uuid, :paymentId::uuid)) ${only('p.tenant_id')}
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
