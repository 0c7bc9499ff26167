// A seal covers a range of a balance's entries. Its hash is the SHA-256 of the previous seal's hash and the bytes
// of each entry. A change to an entry therefore changes all later hashes. A balance's last seal is its head and
// represents the whole chain.

import { createHash } from 'node:crypto'
import type { Mode } from '../values/mode.ts'
import { entryBytes, int8Bytes, type SealedEntry, textBytes, uuidBytes } from './entry-bytes.ts'

export type Head = { tenantId: string; mode: Mode; version: bigint; hash: Buffer }

/** A balance's first seal has no previous seal, so this value is used as the previous hash. */
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

/** Returns a head (a balance's last seal) as a leaf of the statement's Merkle tree. */
export const headBytes = ({ tenantId, mode, version, hash }: Head): Buffer =>
  Buffer.concat([uuidBytes(tenantId), textBytes(mode), int8Bytes(version), hash])
