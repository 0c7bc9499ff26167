// Stores the differences that verifications find. A difference is open until a complete
// verification no longer finds it.

import { createHash } from 'node:crypto'
import type { Db, Tx } from '../db/db.ts'
import { statement } from '../db/statement.ts'
import type { Difference } from './ledger-difference.ts'

/** SQL condition: the difference was found after the start of the last verification that has completed. */
export const isOpen = `
  last_found_at >= coalesce(
    (select started_at from ledger_verifications where ended_at is not null order by day desc limit 1),
    '-infinity')`

export type KeptDifference = { difference: Difference; foundAt: Date; lastFoundAt: Date }

const keep = statement(
  `insert into ledger_differences (fingerprint, difference, found_at, last_found_at)
   select fingerprint, difference, now(), now()
   from unnest(:fingerprints::bytea[], :differences::jsonb[]) as found (fingerprint, difference)
   on conflict (fingerprint) do update set last_found_at = greatest(ledger_differences.last_found_at, excluded.last_found_at)`,
)

export async function keepDifferences(db: Db | Tx, found: readonly Difference[]): Promise<void> {
  if (found.length === 0) return
  const byFingerprint = new Map(
    found.map(difference => {
      const text = JSON.stringify(Object.entries(difference).sort(([a], [b]) => (a < b ? -1 : 1)))
      return [createHash('sha256').update(text).digest('hex'), difference]
    }),
  )
  await keep(db, {
    fingerprints: [...byFingerprint.keys()].map(hash => Buffer.from(hash, 'hex')),
    differences: [...byFingerprint.values()].map(difference => JSON.stringify(difference)),
  })
}

/** Counts the open differences. Throws if the database does not respond within the timeout. */
export async function countOpenDifferences(db: Db, timeoutMs: number): Promise<number> {
  const { rows } = await db
    .raw<{ rows: [{ count: number }] }>(
      `select count(*)::integer as count from ledger_differences where ${isOpen}`,
    )
    .timeout(timeoutMs)
  return rows[0].count
}

const listOpen = statement<KeptDifference>(
  `select difference, found_at as "foundAt", last_found_at as "lastFoundAt"
   from ledger_differences where ${isOpen} order by found_at, fingerprint limit :limit::integer`,
)

/** Lists open differences, oldest first. */
export const listOpenDifferences = (db: Db, limit: number): Promise<KeptDifference[]> =>
  listOpen(db, { limit })

const takeUntold = statement<{ fingerprint: Buffer; difference: Difference }>(
  `update ledger_differences set told_at = now() where told_at is null returning fingerprint, difference`,
)

/** Marks the differences about which no notification was sent as notified, and returns them. */
export const takeUntoldDifferences = (db: Db) => takeUntold(db, {})

const putBack = statement(
  `update ledger_differences set told_at = null where fingerprint = any(:fingerprints::bytea[])`,
)

export async function putBackUntold(db: Db, fingerprints: Buffer[]): Promise<void> {
  await putBack(db, { fingerprints })
}
