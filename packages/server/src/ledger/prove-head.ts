import type { Db } from '../db/db.ts'
import { inScope } from '../db/tenant-scope.ts'
import type { Mode } from '../values/mode.ts'
import { headsBefore } from './issue-statement.ts'
import { findLastStatement, type StatementRow } from './ledger-statement.sql.ts'
import { leafHash, merkleProof, rootFromProof, type Step } from './merkle.ts'
import { type Head, headBytes } from './seal.ts'

/**
 * A balance's head (the seal, a hash that covers all its entries) with the signed ledger statement and a Merkle proof.
 * The proof leads from the head to the statement's root hash, and shows that the statement covers this head.
 */
export type ProvenHead = Head & { statement: string; proof: Step[] }

/**
 * Returns a proof that the last signed ledger statement covers the balance's last seal (a hash of ledger
 * entries). Returns undefined if there is no statement, or if it was signed before the balance's first seal.
 */
export type ProveHead = (tenantId: string, mode: Mode) => Promise<ProvenHead | undefined>

type Tree = { leaves: Buffer[]; positions: Map<string, Head & { at: number }> }

/**
 * Returns a function that proves that the last seal of a balance (its head) is part of the latest signed
 * statement. The Merkle tree over all heads is read once per statement and cached for all callers.
 */
export function headProver(db: Db): ProveHead {
  let cached: { round: bigint; tree: Promise<Tree> } | undefined

  async function read(): Promise<{ stated: StatementRow; tree: Promise<Tree> } | undefined> {
    const stated = await findLastStatement(db)
    if (!stated) return undefined
    if (cached?.round !== stated.round) {
      const tree = readTree(db, stated.round)
      cached = { round: stated.round, tree }
      tree.catch(() => {
        if (cached?.tree === tree) cached = undefined
      })
    }
    return { stated, tree: cached.tree }
  }

  return async (tenantId, mode) => {
    // The proof is computed from the last seals (hashes of ledger entries) of all tenants. It contains only
    // hashes of these seals, so it reveals no other tenant's data.
    const found = await inScope(undefined, read)
    return found && prove(await found.tree, found.stated, tenantId, mode)
  }
}

async function readTree(db: Db, round: bigint): Promise<Tree> {
  const tree: Tree = { leaves: [], positions: new Map() }
  for await (const head of headsBefore(db, round)) {
    tree.positions.set(`${head.tenantId} ${head.mode}`, { ...head, at: tree.leaves.length })
    tree.leaves.push(leafHash(headBytes(head)))
  }
  return tree
}

function prove(
  { leaves, positions }: Tree,
  { statement, root }: StatementRow,
  tenantId: string,
  mode: Mode,
): ProvenHead | undefined {
  const found = positions.get(`${tenantId} ${mode}`)
  if (!found) return undefined
  const { at, ...head } = found
  const proof = merkleProof(leaves, at)
  if (!rootFromProof(headBytes(head), proof).equals(root))
    throw new Error(
      'the ledger seals (hashes of entries) do not match the last signed statement; run gapura-server verify-ledger',
    )
  return { ...head, statement, proof }
}
