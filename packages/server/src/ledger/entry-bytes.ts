// Encodes a ledger entry as the bytes that its seal (a hash, seal.ts) covers, in encoding 1. Each column has a fixed
// position, and either a fixed length or a length prefix. Two different entries therefore never have the same bytes.
//
// The verification of the ledger uses this TypeScript encoding. Sealing (hashing new entries) uses an SQL
// implementation of the same encoding (ledger/seal.sql.ts). An encoding never changes, because otherwise old seals
// would become invalid. A new column therefore requires a new encoding.

/**
 * A ledger entry that belongs to no payment is hashed with this ID instead of a payment ID. No payment has
 * this ID.
 */
export const NO_PAYMENT = '00000000-0000-0000-0000-000000000000'

/**
 * The columns of a ledger entry that its seal (a hash) covers: all except the counter-account. `createdAtUs`,
 * the creation time, is in microseconds since 1970, because PostgreSQL stores microseconds.
 */
export type SealedEntry = {
  tenantId: string
  mode: string
  version: bigint
  id: string
  paymentId: string | null
  entryType: string
  amount: bigint
  balanceAfter: bigint
  referenceId: string
  reason: string
  createdAtUs: bigint
  unexpectedMoneyId: string | null
}

/**
 * Returns an entry's bytes:
 *
 * - Numbers are big-endian. A numeric column is 8 bytes in two's complement.
 * - A UUID is 16 bytes.
 * - A text is its length in 4 bytes, followed by its UTF-8 bytes.
 * - The last column is a UUID or null. Null is a byte 0, and a UUID is a byte 1 followed by the UUID.
 */
export function entryBytes(entry: SealedEntry): Buffer {
  return Buffer.concat([
    uuidBytes(entry.tenantId),
    textBytes(entry.mode),
    int8Bytes(entry.version),
    uuidBytes(entry.id),
    uuidBytes(entry.paymentId ?? NO_PAYMENT),
    textBytes(entry.entryType),
    int8Bytes(entry.amount),
    int8Bytes(entry.balanceAfter),
    textBytes(entry.referenceId),
    textBytes(entry.reason),
    int8Bytes(entry.createdAtUs),
    entry.unexpectedMoneyId === null
      ? Buffer.of(0)
      : Buffer.concat([Buffer.of(1), uuidBytes(entry.unexpectedMoneyId)]),
  ])
}

export const uuidBytes = (uuid: string): Buffer => Buffer.from(uuid.replaceAll('-', ''), 'hex')

export function int8Bytes(number: bigint): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigInt64BE(number)
  return bytes
}

export function textBytes(text: string): Buffer {
  const bytes = Buffer.from(text)
  const length = Buffer.alloc(4)
  length.writeInt32BE(bytes.length)
  return Buffer.concat([length, bytes])
}
