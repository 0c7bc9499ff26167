// Recomputes every seal (a hash of ledger entries) from the entries, and the Merkle root in each signed statement
// from the seals. The seals are created in SQL. This second implementation is needed because the SQL code must
// not verify itself.

import type { SealDifference } from '../ledger/ledger-difference.ts'
import type { LedgerStatement } from '../ledger/ledger-statement.ts'
import { merkleRoot } from '../ledger/merkle.ts'
import { headBytes, NO_HASH, sealOf } from '../ledger/seal.ts'
import type { ChainRow } from './verify-ledger.sql.ts'

type Seal = Extract<ChainRow, { kind: 'seal' }>
/**
 * Returns a verifier for the seals (hashes of ledger entries). Call `begin` before each balance, and then
 * pass the balance's rows in order. Each seal is computed from the stored hash of the previous seal, so one
 * wrong seal is reported only once.
 */
export function followSeals(statements: LedgerStatement[], report: (difference: SealDifference) => void) {
  // A signed statement covers the seals (hashes of ledger entries) up to a certain seal in each chain. `head`
  // is this last covered seal in the current chain.
  const stated = statements.map(statement => ({
    statement,
    tree: merkleRoot(),
    head: undefined as Seal | undefined,
  }))
  let sealed = 0n
  let previousHash: Buffer = NO_HASH
  let seal = sealOf(NO_HASH)

  /**
   * Ends the current chain of ledger entries by adding its last seal (its head) to the Merkle tree of each
   * signed statement.
   */
  function close(): void {
    for (const each of stated) {
      if (each.head) each.tree.add(headBytes({ ...each.head, version: each.head.at }))
      each.head = undefined
    }
  }

  function check(row: Seal): void {
    const of = { tenant_id: row.tenantId, mode: row.mode }
    const range = { from_version: row.fromVersion.toString(), to_version: row.at.toString() }
    const hex = (expected: Buffer, found: Buffer) => ({
      expected: expected.toString('hex'),
      found: found.toString('hex'),
    })
    if (row.fromVersion > sealed + 1n) {
      report({ kind: 'seal_is_missing', ...of, from_version: (sealed + 1n).toString() })
    } else if (row.fromVersion <= sealed || !row.previousHash.equals(previousHash)) {
      report({ kind: 'seal_does_not_follow', ...of, ...range, ...hex(previousHash, row.previousHash) })
    } else {
      const found = seal.hash()
      if (!found.equals(row.hash))
        report({ kind: 'sealed_entries_differ', ...of, ...range, ...hex(row.hash, found) })
    }
  }

  return {
    begin(): void {
      close()
      sealed = 0n
      previousHash = NO_HASH
      seal = sealOf(NO_HASH)
    },
    next(row: ChainRow): void {
      if (row.kind === 'entry') seal.add({ ...row, version: row.at })
      if (row.kind !== 'seal') return
      check(row)
      sealed = row.at
      previousHash = row.hash
      seal = sealOf(row.hash)
      for (const each of stated) if (row.round < each.statement.round) each.head = row
    },
    end(): void {
      close()
      for (const { statement, tree } of stated) {
        const found = tree.root()
        if (!found.equals(statement.root))
          report({
            kind: 'statement_differs',
            round: statement.round.toString(),
            stated_at: statement.statedAt.toISOString(),
            expected: statement.root.toString('hex'),
            found: found.toString('hex'),
          })
      }
    },
  }
}
