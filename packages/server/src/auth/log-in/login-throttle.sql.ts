// Stores the counts of failed logins in the database, so that all processes share them. Each attempt takes a lock for
// its account, so attempts on one account run one after another. One IP address can attempt several accounts at once,
// so no lock protects the address's count. This count is therefore only incremented and decremented, never replaced.

import type { Db, Tx } from '../../db/db.ts'
import type { LoginAttempt } from './login-attempt.ts'
import {
  type FailureLane,
  type Failures,
  FORGOTTEN_AFTER_MS,
  judgeAttempt,
  type RecordedFailures,
  SPRAY_FORGOTTEN_PER_SECOND,
  type Verdict,
} from './login-throttle.ts'

const SPRAY = 'spray'
const ownLaneOf = ({ source, known }: LoginAttempt): string =>
  known ?? `source ${source.toString('base64url')}`

/**
 * Decides whether the password of a login attempt is checked. If so, the attempt is counted as a failure before the
 * check. If the count reveals an attack on the account, the function calls `noticed` in the same transaction.
 */
export async function countAttempt(
  db: Db,
  attempt: LoginAttempt,
  at: Date,
  noticed: (tx: Tx) => Promise<void>,
): Promise<Verdict> {
  return db.transaction(async tx => {
    await lockAccount(tx, attempt.account)
    const verdict = judgeAttempt(await findFailures(tx, attempt, at), at)
    if (!verdict.isAdmitted) return verdict
    await writeFailures(tx, attempt, verdict.counts, at)
    if (verdict.isAttackNoticed) await noticed(tx)
    return verdict
  })
}

/**
 * Resets the failed logins to the account from this device or IP address. Called after a correct password. Failed
 * logins from other IP addresses or to other accounts remain counted.
 */
export async function forgetAttempts(db: Db, attempt: LoginAttempt): Promise<void> {
  await db.transaction(async tx => {
    await lockAccount(tx, attempt.account)
    // Failed logins from unknown IP addresses are counted per account in two counters ("lanes"). `newcomers`
    // counts the first failed login of each address, and `returning` counts its later ones.
    await tx.raw(
      `with own as (
         delete from login_throttles where subject = :account and lane = :own returning failures
       ), shared as (
         update login_throttles t
         set failures = greatest(0, t.failures - case t.lane when 'newcomers' then 1 else own.failures - 1 end)
         from own where t.subject = :account and t.lane in ('newcomers', 'returning') and not :isKnown
       )
       update login_throttles t set failures = greatest(0, t.failures - 1)
       where t.subject = :source and t.lane = :spray and not :isKnown`,
      { ...keysOf(attempt), isKnown: attempt.known !== undefined },
    )
  })
}

/**
 * After a password reset, deletes the counters of failed logins that would delay the mailbox owner's next login. One
 * counter is for the caller's own device or IP address. The two other counters are shared by all unknown IP addresses.
 */
export async function forgetSharedFailures(db: Db, attempt: LoginAttempt): Promise<void> {
  await db.raw(
    `delete from login_throttles where subject = :account and lane in (:own, 'newcomers', 'returning')`,
    keysOf(attempt),
  )
}

/** Counts an account's failed logins from unknown IP addresses, and the number of these addresses. */
export async function countFailures(db: Db, account: Buffer): Promise<{ failures: number; sources: number }> {
  const { rows } = await db.raw<{ rows: { failures: number; sources: bigint }[] }>(
    `select coalesce(sum(failures) filter (where lane in ('newcomers', 'returning')), 0) as failures,
            count(*) filter (where lane like 'source %') as sources
     from login_throttles where subject = ?`,
    [account],
  )
  const { failures = 0, sources = 0n } = rows[0] ?? {}
  return { failures, sources: Number(sources) }
}

/**
 * Locks an account with an advisory lock, because an account that has no row yet cannot have a row lock. Two
 * accounts can have the same lock number. They then wait for each other, which is harmless.
 */
async function lockAccount(tx: Tx, account: Buffer): Promise<void> {
  await tx.raw('select pg_advisory_xact_lock(?)', [account.readBigInt64BE().toString()])
}

async function findFailures(tx: Tx, attempt: LoginAttempt, at: Date): Promise<RecordedFailures> {
  const { own, account, source, spray } = keysOf(attempt)
  const { rows } = await tx.raw<{ rows: (Failures & { lane: string })[] }>(
    `select lane, failures, last_at as "lastAt" from login_throttles
     where (subject = :account and lane in (:own, 'newcomers', 'returning') or subject = :source and lane = :spray)
       and last_at > :since`,
    { own, account, source, spray, since: new Date(at.getTime() - FORGOTTEN_AFTER_MS) },
  )
  const byLane = rows.map(({ lane, ...failures }) => [lane === own ? 'own' : lane, failures] as const)
  return { isKnown: attempt.known !== undefined, ...Object.fromEntries(byLane) }
}

async function writeFailures(
  tx: Tx,
  attempt: LoginAttempt,
  counts: { lane: Exclude<FailureLane, 'spray'>; failures: number }[],
  at: Date,
): Promise<void> {
  const keys = keysOf(attempt)
  await tx.raw(
    `with counted as (
       insert into login_throttles (subject, lane, failures, last_at)
       select :account, c.lane, c.failures, :at
       from jsonb_to_recordset(:counts) as c (lane text, failures float8) order by c.lane
       on conflict (subject, lane) do update set failures = excluded.failures, last_at = excluded.last_at
     )
     insert into login_throttles as t (subject, lane, failures, last_at)
     select :source, :spray, 1, :at where not :isKnown
     on conflict (subject, lane) do update
     set failures = 1 + greatest(0, t.failures - :perSecond * greatest(0, extract(epoch from excluded.last_at - t.last_at)::float8)),
         last_at = greatest(t.last_at, excluded.last_at)`,
    {
      ...keys,
      at,
      counts: JSON.stringify(
        counts.map(each => ({ ...each, lane: each.lane === 'own' ? keys.own : each.lane })),
      ),
      isKnown: attempt.known !== undefined,
      perSecond: SPRAY_FORGOTTEN_PER_SECOND,
    },
  )
}

const keysOf = (attempt: LoginAttempt) => ({
  account: attempt.account,
  source: attempt.source,
  own: ownLaneOf(attempt),
  spray: SPRAY,
})
