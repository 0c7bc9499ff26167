// One hash for the heads of all balances, as RFC 9162 (2.1) makes it of a list: a leaf is hashed behind a 0, a pair of
// hashes behind a 1, and the left half holds the largest power of two of them.

import { createHash } from 'node:crypto'

/** Of a proof: the hash beside one on the way up, and on which side of it. */
export type Step = { side: 'left' | 'right'; hash: Buffer }

const sha256 = (...parts: Buffer[]): Buffer => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

export const leafHash = (leaf: Buffer): Buffer => sha256(Buffer.of(0), leaf)
const nodeHash = (left: Buffer, right: Buffer): Buffer => sha256(Buffer.of(1), left, right)

/** Of leaves that come one after the other; it keeps as many hashes as the tree is high. */
export function merkleRoot(): { add(leaf: Buffer): void; root(): Buffer } {
  // Whole trees of falling size, each a power of two.
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

/** From the leaf up to the root. */
export function merkleProof(leafHashes: Buffer[], index: number): Step[] {
  const proof: Step[] = []
  for (let [level, at] = [leafHashes, index]; level.length > 1; [level, at] = [above(level), at >> 1]) {
    const beside = level[at ^ 1]
    // The last of an odd level goes up as it is.
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

/** The root that a leaf leads to by a proof. */
export const rootOf = (leaf: Buffer, proof: Step[]): Buffer =>
  proof.reduce(
    (hash, { side, hash: beside }) => (side === 'left' ? nodeHash(beside, hash) : nodeHash(hash, beside)),
    leafHash(leaf),
  )
