// Stores the differences that ledger verifications find. A difference is reported as open until a complete
// verification no longer finds it.

import { createHash } from 'node:crypto'
import type { Db, Tx } from '../db/db.ts'
import { preparedStatement } from '../db/prepared-statement.ts'
import { SENDING_CLAIM } from '../mail/sending-claim.ts'
import type { LedgerDifference } from './ledger-difference.ts'

/**
 * An SQL condition that is true if a ledger difference is open. It is open if the last completed
 * verification, or a later one, has found it.
 */
export const ledgerDifferenceIsOpen = `
  last_found_at >= coalesce(
    (select started_at from ledger_verifications where ended_at is not null order by day desc limit 1),
    '-infinity')`

export type StoredLedgerDifference = { difference: LedgerDifference; foundAt: Date; lastFoundAt: Date }

const upsert = preparedStatement(
  `insert into ledger_differences (fingerprint, difference, found_at, last_found_at)
   select fingerprint, difference, now(), now()
   from unnest(:fingerprints::bytea[], :differences::jsonb[]) as found (fingerprint, difference)
   on conflict (fingerprint) do update set last_found_at = greatest(ledger_differences.last_found_at, excluded.last_found_at)`,
)

export async function storeLedgerDifferences(db: Db | Tx, found: readonly LedgerDifference[]): Promise<void> {
  if (found.length === 0) return
  const byFingerprint = new Map(
    found.map(difference => {
      const text = JSON.stringify(Object.entries(difference).sort(([a], [b]) => (a < b ? -1 : 1)))
      return [createHash('sha256').update(text).digest('hex'), difference]
    }),
  )
  await upsert(db, {
    fingerprints: [...byFingerprint.keys()].map(hash => Buffer.from(hash, 'hex')),
    differences: [...byFingerprint.values()].map(difference => JSON.stringify(difference)),
  })
}

/**
 * Counts the open differences between the ledger and the rules it must follow. Throws an error if the database does
 * not respond within the timeout.
 */
export async function countOpenDifferences(db: Db, timeoutMs: number): Promise<number> {
  const { rows } = await db
    .raw<{ rows: [{ count: number }] }>(
      `select count(*)::integer as count from ledger_differences where ${ledgerDifferenceIsOpen}`,
    )
    .timeout(timeoutMs)
  return rows[0].count
}

const listOpen = preparedStatement<StoredLedgerDifference>(
  `select difference, found_at as "foundAt", last_found_at as "lastFoundAt"
   from ledger_differences where ${ledgerDifferenceIsOpen} order by found_at, fingerprint limit :limit::integer`,
)

/** Lists the open differences between the ledger and the rules it must follow, oldest first. */
export const listOpenDifferences = (db: Db, limit: number): Promise<StoredLedgerDifference[]> =>
  listOpen(db, { limit })

const claimUnmailed = preparedStatement<{ fingerprint: Buffer }>(
  `update ledger_differences set mail_claimed_until = now() + ${SENDING_CLAIM}
   where told_at is null and (mail_claimed_until is null or mail_claimed_until < now())
   returning fingerprint`,
)

/**
 * Returns the fingerprints of the ledger differences about which the Owner (the operator) must be emailed. No other
 * process can claim these differences until `endLedgerMailClaim` is called or the claim expires.
 */
export const claimUnmailedLedgerDifferences = async (db: Db): Promise<Buffer[]> =>
  (await claimUnmailed(db, {})).map(({ fingerprint }) => fingerprint)

const endClaim = preparedStatement(
  `update ledger_differences
   set told_at = coalesce(told_at, case when :isMailed::boolean then now() end), mail_claimed_until = null
   where fingerprint = any(:fingerprints::bytea[])`,
)

/** Releases claimed ledger differences and, if the Owner was emailed about them, marks them as emailed. */
export async function endLedgerMailClaim(
  db: Db,
  claim: { fingerprints: Buffer[]; isMailed: boolean },
): Promise<void> {
  await endClaim(db, claim)
}
