import type { Db } from '../db/db.ts'
import { statement } from '../db/statement.ts'
import type { Verified } from './verify-ledger.ts'

/** A whole verification of the ledger. day: YYYY-MM-DD of Asia/Jakarta, the day on which it began. */
export type Verification = {
  day: string
  startedAt: Date
  endedAt: Date | null
  balances: number
  entries: number
  payments: number
  ordersNotChecked: number
  differences: number
}

/** The process that said nothing for so long has died; another begins anew. */
const DEAD_AFTER = `interval '5 minutes'`

const begin = statement<{ day: string }>(
  `insert into ledger_verifications (day, started_at, beat_at)
   values ((now() at time zone 'Asia/Jakarta')::date, now(), now())
   on conflict (day) do update set started_at = now(), beat_at = now()
   where ledger_verifications.ended_at is null and ledger_verifications.beat_at < now() - ${DEAD_AFTER}
   returning day::text as day`,
)

/** The day of the verification that this process has from now on; undefined: today's is done, or under way elsewhere. */
export async function beginVerification(db: Db): Promise<string | undefined> {
  const [row] = await begin(db, {})
  return row?.day
}

const note = statement(
  `update ledger_verifications
   set beat_at = now(), ended_at = case when :isOver then now() end, balances = :balances, entries = :entries,
       payments = :payments, orders_not_checked = :ordersNotChecked, differences = :differences
   where day = :day::date`,
)

export async function noteVerification(
  db: Db,
  day: string,
  { balances, entries, payments, ordersNotChecked, differences }: Verified,
  isOver: boolean,
): Promise<void> {
  await note(db, { day, balances, entries, payments, ordersNotChecked, differences, isOver })
}

const findLast = statement<Verification>(
  `select day::text as day, started_at as "startedAt", ended_at as "endedAt", balances::float8 as balances,
          entries::float8 as entries, payments::float8 as payments,
          orders_not_checked::float8 as "ordersNotChecked", differences::float8 as differences
   from ledger_verifications order by day desc limit 1`,
)

export async function findLastVerification(db: Db): Promise<Verification | undefined> {
  const [row] = await findLast(db, {})
  return row
}
