// A seal binds a batch of a balance's entries to all before them: its hash is SHA-256 of the previous seal's hash and the
// bytes of each entry in order. The last seal of a balance is its head, and stands for the whole chain.

import { createHash } from 'node:crypto'
import type { Mode } from '../mode.ts'
import { entryBytes, int8Bytes, type SealedEntry, textBytes, uuidBytes } from './entry-bytes.ts'

export type Head = { tenantId: string; mode: Mode; version: bigint; hash: Buffer }

/** What the first seal of a balance follows. */
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

/** As a statement's tree has it: tenant, mode, version and hash, encoded as in an entry. */
export const headBytes = ({ tenantId, mode, version, hash }: Head): Buffer =>
  Buffer.concat([uuidBytes(tenantId), textBytes(mode), int8Bytes(version), hash])
