import { type Count, countRows } from '../db/count-rows.ts'
import type { Db, Tx } from '../db/db.ts'
import { type PageStart, sqlOf } from '../db/list-order.ts'
import { newId } from '../values/id.ts'
import type { Mode } from '../values/mode.ts'
import type { SettlementLine } from './settlement-line.ts'

/**
 * The provider account and the day that identify a settlement. Each account has at most one settlement per
 * day.
 */
export type AccountDay = { accountId: string; date: string }

export type Settlement = AccountDay & {
  id: string
  lines: number
  amount: bigint
  fees: bigint
  duplicates: number
  uploadedAt: Date
}

const columns = `id, provider_account_id as "accountId", date, lines, amount, fees, duplicates, uploaded_at as "uploadedAt"`

/** Returns whether the provider account with this id belongs to the provider with this code. */
export async function isAccountOf(db: Db, providerCode: string, accountId: string): Promise<boolean> {
  const { rows } = await db.raw<{ rows: unknown[] }>(
    'select from provider_accounts where id = ? and provider_code = ?',
    [accountId, providerCode],
  )
  return rows.length === 1
}

/**
 * Locks a provider account's settlement for a day until the transaction ends. Two uploads for the same day therefore
 * run one after the other, and the second one replaces the first.
 */
export async function lockAccountDay(tx: Tx, { accountId, date }: AccountDay): Promise<void> {
  await tx.raw('select pg_advisory_xact_lock(hashtextextended(?, 0))', [`settlement ${accountId} ${date}`])
}

export async function deleteSettlement(
  tx: Tx,
  { accountId, date }: AccountDay,
): Promise<Settlement | undefined> {
  const { rows } = await tx.raw<{ rows: Settlement[] }>(
    `delete from settlements where provider_account_id = ? and date = ? returning ${columns}`,
    [accountId, date],
  )
  return rows[0]
}

/** Inserts a settlement without lines and returns its id. */
export async function insertSettlement(tx: Tx, { accountId, date }: AccountDay, at: Date): Promise<string> {
  const id = newId()
  await tx.raw('insert into settlements (id, provider_account_id, date, uploaded_at) values (?, ?, ?, ?)', [
    id,
    accountId,
    date,
    at,
  ])
  return id
}

/**
 * Inserts a settlement's lines. A line is linked to a payment if the line's reference belongs to a charge attempt
 * at the settlement's provider account.
 */
export async function insertSettlementLines(
  tx: Tx,
  settlementId: string,
  { accountId, date }: AccountDay,
  lines: SettlementLine[],
): Promise<void> {
  await tx.raw(
    `insert into settlement_lines (settlement_id, line, date, reference, status, amount, fee, paid_at,
       provider_payment_id, tenant_id, payment_id)
     select :settlementId, l.line, :date, l.reference, l.status, l.amount, l.fee, l."paidAt", l."providerPaymentId",
            r.tenant_id, r.payment_id
     from jsonb_to_recordset(:lines) as l (line integer, reference text, status text, amount bigint, fee bigint,
       "paidAt" timestamptz, "providerPaymentId" text)
     left join payment_references r on r.reference = l.reference and r.provider_account_id = :accountId`,
    {
      settlementId,
      date,
      accountId,
      lines: JSON.stringify(lines, (_, value) => (typeof value === 'bigint' ? value.toString() : value)),
    },
  )
}

/** Stores the totals of a settlement's lines in the settlement, and returns the settlement. */
export async function sumSettlement(tx: Tx, settlementId: string): Promise<Settlement> {
  const { rows } = await tx.raw<{ rows: Settlement[] }>(
    `update settlements set (lines, amount, fees, duplicates) = (
       select count(*), coalesce(sum(case status when 'paid' then amount else -amount end), 0), coalesce(sum(fee), 0),
              (select coalesce(sum(paid - 1), 0) from (
                 select count(*) as paid from settlement_lines
                 where settlement_id = :settlementId and status = 'paid' group by reference having count(*) > 1) twice)
       from settlement_lines where settlement_id = :settlementId
     ) where id = :settlementId returning ${columns}`,
    { settlementId },
  )
  return rows[0] as Settlement
}

/**
 * Lists the account's settlements that follow the settlement `afterId`, sorted by upload time in the given
 * order.
 */
export async function listSettlements(
  db: Db,
  accountId: string,
  { order, afterId }: PageStart,
  limit: number,
): Promise<Settlement[]> {
  const { sort, later } = sqlOf[order]
  const { rows } = await db.raw<{ rows: Settlement[] }>(
    `select ${columns} from settlements
     where provider_account_id = :accountId and (:afterId::uuid is null or id ${later} :afterId)
     order by id ${sort} limit :limit`,
    { accountId, afterId: afterId ?? null, limit },
  )
  return rows
}

export const countSettlements = (db: Db, accountId: string): Promise<Count> =>
  countRows(db, 'select from settlements where provider_account_id = :accountId', { accountId })

export type SettledAccount = { settlementId: string; accountId: string; provider: string; mode: Mode }

/** Lists all provider accounts with an uploaded settlement for the day. */
export async function listSettledAccounts(
  db: Db,
  date: string,
  mode: Mode | null,
): Promise<SettledAccount[]> {
  const { rows } = await db.raw<{ rows: SettledAccount[] }>(
    `select s.id as "settlementId", a.id as "accountId", a.provider_code as provider, a.mode
     from settlements s join provider_accounts a on a.id = s.provider_account_id
     where s.date = :date and (:mode::text is null or a.mode = :mode) order by s.id`,
    { date, mode },
  )
  return rows
}
