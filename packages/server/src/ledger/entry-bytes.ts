// The bytes of an entry that its seal covers: encoding 1. Every column has its place and its length, so two entries
// that differ anywhere differ here. ledger/seal.sql.ts says the same in SQL, which seals; this one verifies. Neither
// ever changes: with another column comes another encoding, which the seals since then name.

/** All columns of ledger_entries. createdAtUs: microseconds since 1970, as PostgreSQL keeps them. */
export type SealedEntry = {
  tenantId: string
  mode: string
  version: bigint
  id: string
  paymentId: string
  entryType: string
  amount: bigint
  balanceAfter: bigint
  referenceId: string
  reason: string
  createdAtUs: bigint
  unexpectedMoneyId: string | null
}

/**
 * UUIDs are 16 bytes; numbers 8, big-endian, two's complement; texts their length in bytes (4, big-endian) and UTF-8. The
 * last column is one byte 0 where there is none, else 1 and the UUID.
 */
export function entryBytes(entry: SealedEntry): Buffer {
  return Buffer.concat([
    uuidBytes(entry.tenantId),
    textBytes(entry.mode),
    int8Bytes(entry.version),
    uuidBytes(entry.id),
    uuidBytes(entry.paymentId),
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
