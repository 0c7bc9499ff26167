import { afterCommit } from '../db/after-commit.ts'
import type { Db, Tx } from '../db/db.ts'
import { preparedStatement } from '../db/prepared-statement.ts'
import { fault } from '../faults/fault.ts'
import { newId } from '../values/id.ts'
import { type Mode, modes } from '../values/mode.ts'
import { type Cents, MAX_SUM } from '../values/money.ts'
import { ledgerMetrics } from './ledger-metrics.ts'
import type { LedgerEntry, Posting } from './posting.ts'

const insert = preparedStatement(
  `with posting as (
     select * from unnest(
       :ids::uuid[], :tenantIds::uuid[], :modes::text[], :paymentIds::uuid[], :entryTypes::text[], :amounts::bigint[],
       :referenceIds::text[], :reasons::text[], :unexpectedMoneyIds::uuid[]) with ordinality
       as p (id, tenant_id, mode, payment_id, entry_type, amount, reference_id, reason, unexpected_money_id, ord)
   ), locked as materialized (
     select b.tenant_id, b.mode, b.balance, b.version from balances b
     where (b.tenant_id, b.mode) in (select tenant_id, mode from posting)
     order by b.tenant_id, b.mode for update
   )
   insert into ledger_entries (
     tenant_id, id, mode, version, payment_id, entry_type, amount, balance_after, reference_id, reason,
     unexpected_money_id, created_at)
   select p.tenant_id, p.id, p.mode, l.version + row_number() over chain, p.payment_id, p.entry_type, p.amount,
          l.balance + sum(case p.entry_type when 'credit' then p.amount else -p.amount end) over chain,
          p.reference_id, p.reason, p.unexpected_money_id, :at
   from posting p join locked l on l.tenant_id = p.tenant_id and l.mode = p.mode
   window chain as (partition by p.tenant_id, p.mode order by p.ord)
   returning id`,
)

/**
 * Posts all postings in one statement; the postings of each balance keep their order. Balances are locked in key order,
 * which prevents deadlocks. Triggers update the balances and reject an entry that does not continue the previous one
 * (migrations/0003_ledger.sql).
 */
export async function postEntries(tx: Tx, postings: Posting[], at: Date): Promise<void> {
  const entries = await insertEntries(tx, postings, at)
  if (entries.length !== postings.length)
    throw new Error(`${postings.length} postings made ${entries.length} entries`)
  afterCommit(tx, () => {
    for (const { entryType, mode } of postings) ledgerMetrics.entries.inc({ entry_type: entryType, mode })
  })
}

async function insertEntries(tx: Tx, postings: Posting[], at: Date): Promise<unknown[]> {
  return insert(tx, {
    ids: postings.map(() => newId()),
    tenantIds: postings.map(each => each.tenantId),
    modes: postings.map(each => each.mode),
    paymentIds: postings.map(each => each.paymentId),
    entryTypes: postings.map(each => each.entryType),
    amounts: postings.map(each => each.amount),
    referenceIds: postings.map(each => each.referenceId),
    reasons: postings.map(each => each.reason),
    unexpectedMoneyIds: postings.map(each => each.unexpectedMoneyId),
    at,
  }).catch((error: Error & { constraint?: string }) => {
    // A concurrent posting raised the balance so far that this posting would exceed the largest possible balance.
    if (!balanceConstraints.has(error.constraint ?? '')) throw error
    throw fault('balance_busy', {}, { retryAfterSeconds: 1, cause: error })
  })
}

const balanceConstraints = new Set(['ledger_entries_balance_is_exact', 'balances_are_exact'])

const columns = `
  id, tenant_id as "tenantId", mode, payment_id as "paymentId", entry_type as "entryType", amount,
  balance_after as "balanceAfter", reference_id as "referenceId", reason, created_at as "createdAt"`

/** Lists a payment's ledger entries in the order in which they were posted. */
export async function listEntriesOfPayment(
  db: Db,
  tenantId: string,
  paymentId: string,
): Promise<LedgerEntry[]> {
  const { rows } = await db.raw<{ rows: LedgerEntry[] }>(
    `select ${columns}
     from ledger_entries where tenant_id = ? and payment_id = ? order by version`,
    [tenantId, paymentId],
  )
  return rows
}

/** The position of an entry: the mode of its balance, and its version in the chain of that balance. */
export type Position = { mode: Mode; version: bigint }

/** Finds the position of an entry in the ledger of one mode, or of both modes if `mode` is null. */
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
 * Lists the entries after a position, newest first. If `mode` is null, the live balance's entries come before those of
 * the test balance. Entries are sorted by version, because a smaller id may have been posted later.
 */
export async function listEntries(
  db: Db,
  tenantId: string,
  mode: Mode | null,
  after: Position | null,
  limit: number,
): Promise<LedgerEntry[]> {
  const { rows } = await db.raw<{ rows: LedgerEntry[] }>(
    `select ${columns} from unnest(:modes::text[]) chain (chain_mode)
     cross join lateral (
       select * from ledger_entries
       where tenant_id = :tenantId and mode = chain_mode
         and (:afterMode::text is null or chain_mode > :afterMode or version < :afterVersion::bigint)
       order by version desc limit :limit
     ) entry
     where :afterMode::text is null or chain_mode >= :afterMode
     order by mode, version desc limit :limit`,
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

export async function findBalance(db: Db, tenantId: string, mode: Mode): Promise<Cents> {
  const { rows } = await db.raw<{ rows: { balance: bigint }[] }>(
    'select balance from balances where tenant_id = ? and mode = ?',
    [tenantId, mode],
  )
  return rows[0]?.balance ?? 0n
}

/**
 * Returns the total, in cents, of reported refunds and chargebacks that await the Owner's decision
 * (payments/record/plan-returned-money.ts), up to the largest possible balance.
 */
export async function sumUndecidedReturns(db: Db, tenantId: string, mode: Mode): Promise<Cents> {
  const { rows } = await db.raw<{ rows: { held: bigint }[] }>(
    `select least(coalesce(sum(amount), 0), ?)::bigint as held from unexpected_money
     where tenant_id = ? and mode = ? and status = 'open' and return_status is not null`,
    [MAX_SUM.toString(), tenantId, mode],
  )
  return rows[0]?.held ?? 0n
}
