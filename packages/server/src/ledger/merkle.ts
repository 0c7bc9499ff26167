// A Merkle tree (a tree of hashes), as in RFC 9162, section 2.1. Its leaves are the heads of all balances. A head is
// the last seal of a balance. Each hashed input starts with 0 for a leaf or 1 for a pair of hashes. The number of
// leaves in the left subtree is the largest power of two below the number of all leaves.

import { createHash } from 'node:crypto'

/**
 * One step of a Merkle proof, from a node toward the tree's root: the hash of the node's sibling, and the
 * side on which the sibling is.
 */
export type Step = { side: 'left' | 'right'; hash: Buffer }

const sha256 = (...parts: Buffer[]): Buffer => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

export const leafHash = (leaf: Buffer): Buffer => sha256(Buffer.of(0), leaf)
const nodeHash = (left: Buffer, right: Buffer): Buffer => sha256(Buffer.of(1), left, right)

/**
 * Computes a Merkle tree's root while leaves are added one by one. It stores at most one hash per level, so the
 * number of leaves is not limited.
 */
export function merkleRoot(): { add(leaf: Buffer): void; root(): Buffer } {
  // The root hashes of the Merkle tree's complete subtrees, largest first. The number of leaves in each
  // subtree is a power of two.
  const trees: { size: number; hash: Buffer }[] = []
  return {
    add(leaf) {
      let tree = { size: 1, hash: leafHash(leaf) }
      while (trees.at(-1)?.size === tree.size) {
        const left = trees.pop() as typeof tree
        tree = { size: left.size * 2, hash: nodeHash(left.hash, tree.hash) }
      }
      trees.push(tree)
    },
    root() {
      const hashes = trees.map(({ hash }) => hash)
      const last = hashes.pop()
      if (!last) return sha256()
      return hashes.reduceRight((right, left) => nodeHash(left, right), last)
    },
  }
}

/** Returns a leaf's Merkle proof: the sibling hashes on the path from the leaf to the root. */
export function merkleProof(leafHashes: Buffer[], index: number): Step[] {
  const proof: Step[] = []
  for (let [level, at] = [leafHashes, index]; level.length > 1; [level, at] = [above(level), at >> 1]) {
    const beside = level[at ^ 1]
    // If a level of the Merkle tree has an odd number of hashes, the last hash has no sibling. This hash moves to the
    // next level unchanged.
    if (beside) proof.push({ side: at % 2 === 1 ? 'left' : 'right', hash: beside })
  }
  return proof
}

function above(level: Buffer[]): Buffer[] {
  const next: Buffer[] = []
  for (let at = 0; at < level.length; at += 2) {
    const [left, right] = [level[at] as Buffer, level[at + 1]]
    next.push(right ? nodeHash(left, right) : left)
  }
  return next
}

export const rootFromProof = (leaf: Buffer, proof: Step[]): Buffer =>
  proof.reduce(
    (hash, { side, hash: beside }) => (side === 'left' ? nodeHash(beside, hash) : nodeHash(hash, beside)),
    leafHash(leaf),
  )
