// Stores the counts of failed logins in the database, so that all processes share them. A lock on the account makes
// attempts on it run one after another. This lock does not protect the count of an IP address, which can attempt
// several accounts at once. That count is therefore only incremented and decremented.

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
 * Decides whether a login attempt's password is checked. If so, counts the attempt as a failure in advance. If this
 * failure reveals an attack on the account, calls `noticed` in the same transaction.
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
 * After a correct password, resets the account's failed logins from this device or IP address. Failed logins from
 * other IP addresses or on other accounts remain counted.
 */
export async function forgetAttempts(db: Db, attempt: LoginAttempt): Promise<void> {
  await db.transaction(async tx => {
    await lockAccount(tx, attempt.account)
    // All unknown IP addresses share two counters ("lanes") per account. `newcomers` counts the first failure
    // of each address, and `returning` counts its later failures.
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
 * After a password reset, removes the failed logins that could delay the mailbox owner's next login: those of the
 * caller's own device or IP address, and those counted together for all unknown IP addresses.
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
 * Takes an advisory lock, because a row lock would not work for an account that has no row yet. If two
 * accounts have the same lock number, they wait for each other, which is harmless.
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
