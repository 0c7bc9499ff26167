import { afterCommit } from '../db/after-commit.ts'
import { type Count, countRows } from '../db/count-rows.ts'
import type { Db, Tx } from '../db/db.ts'
import { groupsByShard, isDistributed, shardedStatement } from '../db/distributed-database.ts'
import { type ListOrder, sqlOf } from '../db/list-order.ts'
import { fault } from '../faults/fault.ts'
import { newId } from '../values/id.ts'
import { type Mode, modes } from '../values/mode.ts'
import { type Cents, MAX_SUM } from '../values/money.ts'
import { accountIdOf } from './account.ts'
import { ledgerMetrics } from './ledger-metrics.ts'
import { withProviderAccounts } from './provider-account.sql.ts'
import { type Balance, type EntryType, entryTypeOf, type LedgerEntry, type Transfer } from './transfer.ts'

const lockedBalances = (columns: string) => `, locked as materialized (
     select ${columns} from balances b
     where (b.tenant_id, b.mode) in (select tenant_id, mode from posting)
     order by b.tenant_id, b.mode for update
   )`

const lock = shardedStatement(
  only => `select from balances b
   where (b.tenant_id, b.mode) in (select * from unnest(:tenantIds::uuid[], :modes::text[])) ${only('b.tenant_id')}
   order by b.tenant_id, b.mode for update`,
)

type BalanceKey = Pick<Balance, 'tenantId' | 'mode'>

/** Locks balances in key order. Every transaction uses this order, so two transactions cannot deadlock. */
export async function lockBalances(tx: Tx, keys: BalanceKey[]): Promise<void> {
  const inOrder = isDistributed(tx) ? keys.toSorted((a, b) => (a.tenantId < b.tenantId ? -1 : 1)) : keys
  for (const group of groupsByShard(tx, inOrder, key => key.tenantId)) {
    const tenantIds = group.map(key => key.tenantId)
    await lock(tx, tenantIds, { tenantIds, modes: group.map(key => key.mode) })
  }
}

const insertEntries = shardedStatement(
  (only, onShard) => `with posting as (
     select * from unnest(
       :ids::uuid[], :tenantIds::uuid[], :modes::text[], :paymentIds::uuid[], :entryTypes::text[], :amounts::bigint[],
       :counterAccounts::uuid[], :referenceIds::text[], :reasons::text[], :unexpectedMoneyIds::uuid[], :refundIds::uuid[])
       with ordinality
       as p (id, tenant_id, mode, payment_id, entry_type, amount, counter_account, reference_id, reason,
             unexpected_money_id, refund_id, ord)
   )${onShard('', lockedBalances('b.tenant_id, b.mode, b.balance, b.version'))}
   insert into ledger_entries as i (
     tenant_id, id, mode, version, payment_id, entry_type, amount, balance_after, counter_account, reference_id, reason,
     unexpected_money_id, refund_id, created_at)
   select ${onShard('l', 'p')}.tenant_id, p.id, p.mode, l.version + row_number() over chain, p.payment_id, p.entry_type, p.amount,
          l.balance + sum(${onShard("case when p.entry_type = 'credit'", "case p.entry_type when 'credit'")} then p.amount else -p.amount end) over chain,
          p.counter_account, p.reference_id, p.reason, p.unexpected_money_id, p.refund_id, :at
   from posting p join ${onShard('balances', 'locked')} l on l.tenant_id = p.tenant_id and l.mode = p.mode ${only('l.tenant_id')}
   window chain as (partition by ${onShard('l', 'p')}.tenant_id, p.mode order by p.ord)
   returning i.id`,
)

const providerAccount = 'provider_account_of(p.tenant_id, p.payment_id, null)'

// The transfers do not change the merchants' balances, but the statement also locks these balances. All transactions
// therefore lock the accounts of a ledger in the same order, which prevents deadlocks.
const insertTransfers = shardedStatement(
  (only, onShard) => `with posting as (
     select * from unnest(
       :ids::uuid[], :tenantIds::uuid[], :modes::text[], :fromAccounts::uuid[], :toAccounts::uuid[], :amounts::bigint[],
       :paymentIds::uuid[], :referenceIds::text[], :reasons::text[])
       as p (id, tenant_id, mode, from_account, to_account, amount, payment_id, reference_id, reason)
   )${onShard('', lockedBalances('b.tenant_id, b.mode'))}
   insert into book_transfers as i (
     tenant_id, id, mode, from_account, to_account, amount, payment_id, reference_id, reason, created_at)
   select ${onShard('l', 'p')}.tenant_id, p.id, p.mode, ${onShard('p.from_account', `coalesce(p.from_account, ${providerAccount})`)},
          ${onShard('p.to_account', `coalesce(p.to_account, ${providerAccount})`)}, p.amount, p.payment_id,
          p.reference_id, p.reason, :at
   from posting p join ${onShard('balances', 'locked')} l on l.tenant_id = p.tenant_id and l.mode = p.mode ${only('l.tenant_id')}
   returning i.id`,
)

/**
 * Posts transfers between accounts with two SQL statements. The first posts the transfers that change a merchant's
 * balance, in the order given. The second posts all others. Balances are locked in key order, which prevents deadlocks.
 * Triggers update the balances, and reject an entry that does not follow the balance's previous entry
 * (migrations/0003_ledger.sql, 0047_tenant_book.sql).
 */
export async function postTransfers(tx: Tx, transfers: Transfer[], at: Date): Promise<void> {
  if (!isDistributed(tx)) return post(tx, transfers, at)
  // On Citus, each tenant's transfers are posted separately, because a statement runs on one tenant's shard. The
  // tenants are sorted, because balances must be locked in key order.
  const ofTenants = [...Map.groupBy(await withProviderAccounts(tx, transfers), each => each.tenantId)]
  for (const [, ofTenant] of ofTenants.sort(([a], [b]) => (a < b ? -1 : 1))) {
    // Citus rejects an insert that also locks rows.
    await lockBalances(tx, ofTenant)
    await post(tx, ofTenant, at)
  }
}

async function post(tx: Tx, transfers: Transfer[], at: Date): Promise<void> {
  const entries = transfers.filter(each => entryTypeOf(each) !== undefined)
  const others = transfers.filter(each => entryTypeOf(each) === undefined)
  // The first statement locks only the balances of its own transfers. If the second statement needs other balances, all
  // are locked now. Otherwise, the two statements together would not lock them in key order.
  const ofEntries = new Set(entries.map(nameOfBalance))
  if (entries.length > 0 && others.some(each => !ofEntries.has(nameOfBalance(each))))
    await lockBalances(tx, transfers)
  const posted = [
    ...(entries.length > 0
      ? await insertEntries(tx, tenantsOf(entries), entryRows(entries, at)).catch(withBusyBalance)
      : []),
    ...(others.length > 0 ? await insertTransfers(tx, tenantsOf(others), transferRows(others, at)) : []),
  ]
  if (posted.length !== transfers.length)
    throw new Error(`posted only ${posted.length} of ${transfers.length} transfers`)
  afterCommit(tx, () => {
    for (const each of entries)
      ledgerMetrics.entries.inc({ entry_type: entryTypeOf(each) as EntryType, mode: each.mode })
  })
}

const nameOfBalance = ({ tenantId, mode }: BalanceKey) => `${tenantId} ${mode}`

const tenantsOf = (transfers: Transfer[]) => transfers.map(each => each.tenantId)

const columnsOf = (transfers: Transfer[], at: Date) => ({
  ids: transfers.map(() => newId()),
  tenantIds: tenantsOf(transfers),
  modes: transfers.map(each => each.mode),
  paymentIds: transfers.map(each => each.paymentId),
  amounts: transfers.map(each => each.amount),
  referenceIds: transfers.map(each => each.referenceId),
  reasons: transfers.map(each => each.reason),
  at,
})

const entryRows = (transfers: Transfer[], at: Date) => ({
  ...columnsOf(transfers, at),
  entryTypes: transfers.map(each => entryTypeOf(each) ?? null),
  counterAccounts: transfers.map(({ from, to }) => accountIdOf(from === 'merchant' ? to : from)),
  unexpectedMoneyIds: transfers.map(each => each.unexpectedMoneyId),
  refundIds: transfers.map(each => each.refundId ?? null),
})

const transferRows = (transfers: Transfer[], at: Date) => ({
  ...columnsOf(transfers, at),
  fromAccounts: transfers.map(({ from }) => accountIdOf(from)),
  toAccounts: transfers.map(({ to }) => accountIdOf(to)),
})

/**
 * Converts the database error for a balance above its maximum to an API error that allows a retry. The error can occur
 * if another posting has increased the balance since the service read it.
 */
function withBusyBalance(error: Error & { constraint?: string }): never {
  if (!balanceConstraints.has(error.constraint ?? '')) throw error
  throw fault('balance_busy', {}, { retryAfterSeconds: 1, cause: error })
}

const balanceConstraints = new Set(['ledger_entries_balance_is_exact', 'balances_are_exact'])

const columns = `
  id, tenant_id as "tenantId", mode, payment_id as "paymentId", entry_type as "entryType", amount,
  balance_after as "balanceAfter", reference_id as "referenceId", reason, created_at as "createdAt"`

/** Lists a payment's ledger entries in posting order. */
export async function listEntriesOfPayment(
  db: Db,
  tenantId: string,
  paymentId: string,
): Promise<(LedgerEntry & { paymentId: string })[]> {
  const { rows } = await db.raw<{ rows: (LedgerEntry & { paymentId: string })[] }>(
    `select ${columns}
     from ledger_entries where tenant_id = ? and payment_id = ? order by version`,
    [tenantId, paymentId],
  )
  return rows
}

/** A ledger entry's position: the mode of its balance, and the entry's version in that balance's chain. */
export type Position = { mode: Mode; version: bigint }

/** Finds a ledger entry's position in the given mode, or in both modes if `mode` is null. */
export async function findPosition(
  db: Db,
  tenantId: string,
  mode: Mode | null,
  id: string,
): Promise<Position | undefined> {
  const { rows } = await db.raw<{ rows: Position[] }>(
    `select mode, version from ledger_entries
     where tenant_id = :tenantId and id = :id and mode = any(:modes)`,
    { tenantId, id, modes: mode === null ? modes : [mode] },
  )
  return rows[0]
}

/**
 * Lists the ledger entries that follow the position `after`. If `mode` is null, live entries come before test entries.
 * Entries are sorted by their version (the number within their balance). They are not sorted by ID, because an entry
 * with a smaller ID may have been posted later.
 */
export async function listEntries(
  db: Db,
  tenantId: string,
  mode: Mode | null,
  after: Position | null,
  limit: number,
  order: ListOrder = 'newest',
): Promise<LedgerEntry[]> {
  const { sort, later } = sqlOf[order]
  const { rows } = await db.raw<{ rows: LedgerEntry[] }>(
    `select ${columns} from unnest(:modes::text[]) chain (chain_mode)
     cross join lateral (
       select * from ledger_entries
       where tenant_id = :tenantId and mode = chain_mode
         and (:afterMode::text is null or chain_mode > :afterMode or version ${later} :afterVersion::bigint)
       order by version ${sort} limit :limit
     ) entry
     where :afterMode::text is null or chain_mode >= :afterMode
     order by mode, version ${sort} limit :limit`,
    {
      tenantId,
      modes: mode === null ? modes : [mode],
      afterMode: after?.mode ?? null,
      afterVersion: after?.version.toString() ?? null,
      limit,
    },
  )
  return rows
}

export const countEntries = (db: Db, tenantId: string, mode: Mode | null): Promise<Count> =>
  countRows(db, 'select from ledger_entries where tenant_id = :tenantId and mode = any(:modes)', {
    tenantId,
    modes: mode === null ? modes : [mode],
  })

export async function findBalance(db: Db, tenantId: string, mode: Mode): Promise<Cents> {
  const { rows } = await db.raw<{ rows: { balance: bigint }[] }>(
    'select balance from balances where tenant_id = ? and mode = ?',
    [tenantId, mode],
  )
  return rows[0]?.balance ?? 0n
}

/**
 * Returns the sum, in cents, of the reported refunds and chargebacks that wait for the operator's decision. Such a
 * refund or chargeback is debited only after the decision (payments/record/plan-returned-money.ts). The sum is
 * capped at the largest possible balance.
 */
export async function sumUndecidedReturns(db: Db, tenantId: string, mode: Mode): Promise<Cents> {
  const { rows } = await db.raw<{ rows: { held: bigint }[] }>(
    `select least(coalesce(sum(amount), 0), ?)::bigint as held from unexpected_money
     where tenant_id = ? and mode = ? and status = 'open' and return_status is not null`,
    [MAX_SUM.toString(), tenantId, mode],
  )
  return rows[0]?.held ?? 0n
}

/**
 * Adds the missing counter-account (the other account of the transfer) to up to `limit` entries that earlier versions
 * posted without it. Returns whether more such entries are left.
 */
export async function completeEntries(db: Db, limit: number): Promise<boolean> {
  const { rows } = await db.raw<{ rows: [{ more: boolean }] }>('select complete_books(?) as more', [limit])
  return rows[0].more
}
