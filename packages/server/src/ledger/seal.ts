// A seal covers consecutive ledger entries of one balance. Its hash is the SHA-256 of the previous seal's hash
// and these entries, so a change to an entry changes all later hashes. The last seal, called the head, therefore
// represents the whole chain.

import { createHash } from 'node:crypto'
import type { Mode } from '../values/mode.ts'
import { entryBytes, int8Bytes, type SealedEntry, textBytes, uuidBytes } from './entry-bytes.ts'

export type Head = { tenantId: string; mode: Mode; version: bigint; hash: Buffer }

/** The previous hash in a balance's first seal, which has no previous seal. */
export const NO_HASH = Buffer.alloc(32)

export function sealOf(previousHash: Buffer): { add(entry: SealedEntry): void; hash(): Buffer } {
  const hash = createHash('sha256').update(previousHash)
  return {
    add(entry) {
      hash.update(entryBytes(entry))
    },
    hash: () => hash.digest(),
  }
}

/**
 * Returns the bytes of a balance's head (its last seal), which are a leaf of a ledger statement's Merkle
 * tree.
 */
export const headBytes = ({ tenantId, mode, version, hash }: Head): Buffer =>
  Buffer.concat([uuidBytes(tenantId), textBytes(mode), int8Bytes(version), hash])
