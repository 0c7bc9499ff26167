import type { Db } from '../db/db.ts'
import { preparedStatement } from '../db/prepared-statement.ts'
import type { OutcomeCount } from '../payments/record/ended-payments.ts'

const HOUR_MS = 3_600_000
/**
 * The number of recent hours covered by a success rate. The rate is compared with the same hours on earlier days.
 */
const RECENT_HOURS = 6
const EARLIER_DAYS = 7

const add = preparedStatement(
  `insert into account_outcomes as known (hour, provider_account_id, paid, unpaid)
   select * from unnest(:hours::timestamptz[], :accountIds::uuid[], :paid::integer[], :unpaid::integer[])
     as more (hour, provider_account_id, paid, unpaid)
   order by hour, provider_account_id
   on conflict (hour, provider_account_id)
   do update set paid = known.paid + excluded.paid, unpaid = known.unpaid + excluded.unpaid`,
)

/** Adds one process's counts of paid and unpaid payments to the stored totals of all processes. */
export async function addToAccountOutcomes(db: Db, counts: readonly OutcomeCount[]): Promise<void> {
  if (counts.length === 0) return
  await add(db, {
    hours: counts.map(({ hour }) => hour),
    accountIds: counts.map(({ accountId }) => accountId),
    paid: counts.map(({ paid }) => paid),
    unpaid: counts.map(({ unpaid }) => unpaid),
  })
}

export type AccountOutcomes = {
  accountId: string
  provider: string
  name: string
  recentPaid: number
  recentEnded: number
  earlierPaid: number
  earlierEnded: number
}

const sum = preparedStatement<AccountOutcomes>(
  `select a.id as "accountId", a.provider_code as provider, a.name,
          coalesce(sum(paid) filter (where hour >= :since), 0)::integer as "recentPaid",
          coalesce(sum(paid + unpaid) filter (where hour >= :since), 0)::integer as "recentEnded",
          coalesce(sum(paid) filter (where hour < :since), 0)::integer as "earlierPaid",
          coalesce(sum(paid + unpaid) filter (where hour < :since), 0)::integer as "earlierEnded"
   from account_outcomes o join provider_accounts a on a.id = o.provider_account_id and a.mode = 'live'
   where o.hour = any(:hours::timestamptz[]) group by a.id`,
)

/**
 * Sums each live provider account's paid and unpaid payments over the last hours and over the same hours on
 * previous days. Only the same hours are comparable, because fewer payments succeed at night.
 */
export async function sumAccountOutcomes(db: Db, now: Date): Promise<AccountOutcomes[]> {
  const thisHour = Math.floor(now.getTime() / HOUR_MS)
  const hoursAgo = Array.from({ length: EARLIER_DAYS + 1 }, (_, day) =>
    Array.from({ length: RECENT_HOURS }, (_, hour) => day * 24 + hour),
  ).flat()
  return sum(db, {
    since: new Date((thisHour - RECENT_HOURS + 1) * HOUR_MS),
    hours: hoursAgo.map(ago => new Date((thisHour - ago) * HOUR_MS)),
  })
}
