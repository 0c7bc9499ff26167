// Stores the differences that the daily reconciliation finds. A difference found by several runs is stored once. A
// later run closes a difference if the compared records agree again. The Owner (the service's operator) can also close
// a difference, with a reason.

import { type Count, countRows } from '../db/count-rows.ts'
import type { Db, Tx } from '../db/db.ts'
import { type PageStart, sqlOf } from '../db/list-order.ts'
import { preparedStatement } from '../db/prepared-statement.ts'
import { SENDING_CLAIM } from '../mail/sending-claim.ts'
import type { DifferenceView } from '../reports/reconciliation-report.ts'
import { newId } from '../values/id.ts'
import type { Mode } from '../values/mode.ts'
import type { ClaimedRun } from './run.sql.ts'

export const closers = ['run', 'owner'] as const

export type StoredReconciliationDifference = DifferenceView & {
  id: string
  day: string
  found_at: Date
  last_found_at: Date
  closed_at: Date | null
  closed_by: (typeof closers)[number] | null
  reason: string | null
}

/**
 * Returns a key that identifies the same difference in several runs. The key contains no amounts, so it stays the same
 * if the amounts change.
 */
export const issueKeyOf = (found: DifferenceView): string =>
  [
    found.mode,
    found.payment_id ?? `${found.provider_account_id} ${found.reference}`,
    found.between,
    found.kind,
  ].join(' ')

/** The columns with the compared records' statuses and amounts. */
const sides = ['our_status', 'our_amount', 'ledger_amount', 'their_status', 'their_amount']
const changeable = [...sides, 'reference', 'provider_payment_id', 'source', 'detail']
const fixed = [
  'kind',
  '"between"',
  'tenant_id',
  'mode',
  'payment_id',
  'payment_code',
  'provider',
  'provider_account_id',
]
const columns = [...fixed, ...changeable].join(', ')

// If the Owner (the service's operator) closed a difference, a later run stores the difference again only if a compared
// status or amount has changed. If the values change back, the run closes the newly stored difference, because the
// Owner has already decided on these values.
const store = preparedStatement(
  `with found as (
     select found.*, exists (
       select from reconciliation_differences decided
       where decided.matter = found.matter and decided.closed_by = 'owner'
         and ${sides.map(side => `decided.${side} is not distinct from found.${side}`).join(' and ')}) as is_decided
     from jsonb_populate_recordset(null::reconciliation_differences, :found::jsonb) found
   ), closed as (
     update reconciliation_differences d set closed_at = now(), closed_by = 'run'
     from found where found.is_decided and d.matter = found.matter and d.closed_at is null
   )
   insert into reconciliation_differences (id, matter, day, ${columns}, found_at, last_found_at)
   select id, matter, :day::date, ${columns}, now(), now() from found where not is_decided
   order by matter
   on conflict (matter) where closed_at is null do update
   set last_found_at = excluded.last_found_at, ${changeable.map(column => `${column} = excluded.${column}`).join(', ')}`,
)

export async function storeReconciliationDifferences(
  db: Db | Tx,
  day: string,
  found: readonly DifferenceView[],
): Promise<void> {
  if (found.length === 0) return
  const byMatter = new Map(found.map(each => [issueKeyOf(each), each]))
  const rows = [...byMatter].map(([matter, each]) => ({ id: newId(), matter, ...each }))
  await store(db, { day, found: JSON.stringify(rows) })
}

/**
 * A payment that was compared. `source` is where the provider's data came from (a settlement or a status
 * inquiry). If the payment was compared only with the ledger, `source` is null.
 */
export type ComparedPayment = { tenantId: string; paymentId: string; source: DifferenceView['source'] }

// A difference between a payment and the provider's data came from a settlement or a status inquiry. A later
// comparison closes the difference only if it uses data from the same source.
const closeOfPayments = preparedStatement(
  `update reconciliation_differences d set closed_at = now(), closed_by = 'run'
   from unnest(:tenantIds::uuid[], :paymentIds::uuid[], :sources::text[]) as judged (tenant_id, payment_id, source)
   where d.closed_at is null and d.payment_id = judged.payment_id and d.tenant_id = judged.tenant_id
     and (d."between" = 'payments_ledger' or d.source = judged.source) and not d.matter = any(:found::text[])`,
)

/** Closes the open differences of the compared payments that this comparison no longer finds. */
export async function closeResolvedDifferences(
  db: Db | Tx,
  judged: readonly ComparedPayment[],
  found: readonly DifferenceView[],
): Promise<void> {
  if (judged.length === 0) return
  await closeOfPayments(db, {
    tenantIds: judged.map(({ tenantId }) => tenantId),
    paymentIds: judged.map(({ paymentId }) => paymentId),
    sources: judged.map(({ source }) => source),
    found: found.map(issueKeyOf),
  })
}

const closeLines = preparedStatement(
  `update reconciliation_differences d set closed_at = now(), closed_by = 'run'
   where d.closed_at is null and d.payment_id is null and d.mode = :mode
     and not exists (
       select from settlements s join settlement_lines l on l.settlement_id = s.id
       where s.provider_account_id = d.provider_account_id and l.reference = d.reference and l.payment_id is null)`,
)

/**
 * If a settlement line matched no payment, it caused an open difference. Closes this difference if no settlement
 * contains the line anymore.
 */
export async function closeVanishedLines(db: Db, mode: Mode): Promise<void> {
  await closeLines(db, { mode })
}

export type OpenPayment = {
  id: string
  day: string
  tenantId: string
  paymentId: string
  source: ComparedPayment['source']
}

const listOpen = preparedStatement<OpenPayment>(
  `select id, day::text as day, tenant_id as "tenantId", payment_id as "paymentId", source
   from reconciliation_differences
   where closed_at is null and payment_id is not null and mode = :mode and last_found_at < :before
     and id > coalesce(:afterId::uuid, '00000000-0000-0000-0000-000000000000')
   order by id limit :limit::integer`,
)

/** Lists the payments with open differences that this reconciliation run has not found again so far. */
export const listOpenPayments = (
  db: Db,
  { mode, startedAt }: Pick<ClaimedRun, 'mode' | 'startedAt'>,
  after: OpenPayment | undefined,
  limit: number,
): Promise<OpenPayment[]> => listOpen(db, { mode, before: startedAt, afterId: after?.id ?? null, limit })

const shown = `id, day::text as day, ${columns}, found_at, last_found_at, closed_at, closed_by, reason`

export type DifferenceFilter = { isOpen: boolean; mode: Mode | null; paymentId: string | null }

const matches = (isOpen: boolean): string => `
  closed_at is ${isOpen ? 'null' : 'not null'} and (:mode::text is null or mode = :mode)
  and (:paymentId::uuid is null or payment_id = :paymentId)`

/**
 * Lists the differences found by the daily reconciliation. `start` sets the list's order and the position after
 * which it begins.
 */
export async function listDifferences(
  db: Db,
  { isOpen, ...filter }: DifferenceFilter,
  { order, afterId }: PageStart,
  limit: number,
): Promise<StoredReconciliationDifference[]> {
  const { sort, later } = sqlOf[order]
  const { rows } = await db.raw<{ rows: StoredReconciliationDifference[] }>(
    `select ${shown} from reconciliation_differences
     where ${matches(isOpen)} and (:afterId::uuid is null or id ${later} :afterId)
     order by id ${sort} limit :limit`,
    { ...filter, afterId: afterId ?? null, limit },
  )
  return rows.map(withJsonNumbers)
}

export const countDifferences = (db: Db, { isOpen, ...filter }: DifferenceFilter): Promise<Count> =>
  countRows(db, `select from reconciliation_differences where ${matches(isOpen)}`, filter)

export async function lockDifference(
  tx: Tx,
  id: string,
): Promise<StoredReconciliationDifference | undefined> {
  const { rows } = await tx.raw<{ rows: StoredReconciliationDifference[] }>(
    `select ${shown} from reconciliation_differences where id = ? for update`,
    [id],
  )
  return rows[0] && withJsonNumbers(rows[0])
}

export async function markDifferenceClosed(
  tx: Tx,
  id: string,
  reason: string,
): Promise<StoredReconciliationDifference> {
  const { rows } = await tx.raw<{ rows: [StoredReconciliationDifference] }>(
    `update reconciliation_differences set closed_at = now(), closed_by = 'owner', reason = ? where id = ?
     returning ${shown}`,
    [reason, id],
  )
  return withJsonNumbers(rows[0])
}

/**
 * Converts the amounts in the row to JSON numbers for the API, because the database driver returns bigint
 * columns as BigInt.
 */
function withJsonNumbers(row: StoredReconciliationDifference): StoredReconciliationDifference {
  const numberOf = (value: number | null) => (value === null ? null : Number(value))
  return {
    ...row,
    our_amount: numberOf(row.our_amount),
    ledger_amount: numberOf(row.ledger_amount),
    their_amount: numberOf(row.their_amount),
  }
}

// No email is sent during a run, because it may find more differences. After the run, the Owner (the
// service's operator) gets one email about all of them.
const claimUnmailed = preparedStatement<{ id: string }>(
  `update reconciliation_differences set mail_claimed_until = now() + ${SENDING_CLAIM}
   where told_at is null and closed_at is null and (mail_claimed_until is null or mail_claimed_until < now())
     and not exists (select from reconciliation_runs where claimed_until > now())
   returning id`,
)

/**
 * Returns the IDs of the open differences about which the Owner (the service's operator) must be emailed. No other
 * process can claim these differences until `endReconciliationMailClaim` is called or the claim expires.
 */
export const claimUnmailedReconciliationDifferences = async (db: Db): Promise<string[]> =>
  (await claimUnmailed(db, {})).map(({ id }) => id)

const endClaim = preparedStatement(
  `update reconciliation_differences
   set told_at = coalesce(told_at, case when :isMailed::boolean then now() end), mail_claimed_until = null
   where id = any(:ids::uuid[])`,
)

/** Releases claimed differences and, if the Owner was emailed about them, marks them as emailed. */
export async function endReconciliationMailClaim(
  db: Db,
  claim: { ids: string[]; isMailed: boolean },
): Promise<void> {
  await endClaim(db, claim)
}
