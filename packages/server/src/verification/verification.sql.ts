import type { Db } from '../db/db.ts'
import { preparedStatement } from '../db/prepared-statement.ts'
import type { Verified } from './verify-ledger.ts'

/** A verification of the whole ledger. `day` is the day it started, as YYYY-MM-DD in Asia/Jakarta. */
export type LedgerVerification = {
  day: string
  startedAt: Date
  endedAt: Date | null
  balances: number
  entries: number
  payments: number
  ordersNotChecked: number
  differences: number
}

/**
 * The time without an update of `beat_at` after which a process is considered dead. Another process then restarts the
 * dead process's verification.
 */
const DEAD_AFTER = `interval '5 minutes'`

/**
 * A verification that this process runs. If another process restarts the verification, `startedAt` changes, so this
 * time identifies the run. `startedAt` is a string, because a Date is less precise than PostgreSQL's timestamp.
 */
export type ClaimedVerification = { day: string; startedAt: string }

const begin = preparedStatement<ClaimedVerification>(
  `insert into ledger_verifications (day, started_at, beat_at)
   values ((now() at time zone 'Asia/Jakarta')::date, now(), now())
   on conflict (day) do update set started_at = now(), beat_at = now()
   where ledger_verifications.ended_at is null and ledger_verifications.beat_at < now() - ${DEAD_AFTER}
   returning day::text as day, started_at::text as "startedAt"`,
)

/**
 * Claims today's verification for this process. Returns undefined if today's verification is done or if another process
 * is running it.
 */
export async function claimVerification(db: Db): Promise<ClaimedVerification | undefined> {
  const [claimed] = await begin(db, {})
  return claimed
}

const note = preparedStatement<{ day: string }>(
  `update ledger_verifications
   set beat_at = now(), ended_at = case when :isOver then now() end, balances = :balances, entries = :entries,
       payments = :payments, orders_not_checked = :ordersNotChecked, differences = :differences
   where day = :day::date and started_at = :startedAt::timestamptz
   returning day::text as day`,
)

/**
 * Stores the verification's progress. Returns false if another process has restarted this verification in the
 * meantime.
 */
export async function storeVerificationProgress(
  db: Db,
  { day, startedAt }: ClaimedVerification,
  { balances, entries, payments, ordersNotChecked, differences }: Verified,
  isOver: boolean,
): Promise<boolean> {
  const noted = await note(db, {
    ...{ day, startedAt, isOver },
    ...{ balances, entries, payments, ordersNotChecked, differences },
  })
  return noted.length > 0
}

const findLast = preparedStatement<LedgerVerification>(
  `select day::text as day, started_at as "startedAt", ended_at as "endedAt", balances::float8 as balances,
          entries::float8 as entries, payments::float8 as payments,
          orders_not_checked::float8 as "ordersNotChecked", differences::float8 as differences
   from ledger_verifications order by day desc limit 1`,
)

export async function findLastVerification(db: Db): Promise<LedgerVerification | undefined> {
  const [row] = await findLast(db, {})
  return row
}
