// Creates ids, which are UUIDs of version 7 (RFC 9562). These ids sort by time, so new rows are added at the end of an
// index.

import { randomFillSync } from 'node:crypto'
import { v7, validate } from 'uuid'
import { after } from './time.ts'

/** The size of an id in bytes. */
const SIZE = 16
/**
 * A pool of random bytes for the next ids. Without the pool, each id would need its own system call for random bytes.
 * This call would cost six times as much as the rest of creating the id.
 */
const pool = new Uint8Array(256 * SIZE)
let used = pool.length

function nextRandomBytes(): Uint8Array {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += SIZE
  return pool.subarray(used - SIZE, used)
}

/**
 * The time in a row's ID and the row's created_at differ by at most this much. The process may pause between its two
 * readings of the clock, and an ID may be ahead of a clock that was set back.
 */
const APART_MS = 60_000
/**
 * How far the time in new IDs may be ahead of the clock. The rest of APART_MS is left for pauses of the process.
 */
const MAX_AHEAD_MS = APART_MS / 2

let lastMs = 0
let counter = 0

/**
 * Returns a new ID that is greater than all earlier IDs of this process, unless the clock was set back by more than
 * MAX_AHEAD_MS. After such a change, the IDs follow the clock, because queries by period would otherwise not find their
 * rows.
 *
 * IDs created in the same millisecond contain a counter (RFC 9562, 6.2, method 1). The counter starts at a random
 * number and increases by one for each ID.
 */
export function newId(): string {
  const random = nextRandomBytes()
  const nowMs = Date.now()
  if (nowMs > lastMs || nowMs < lastMs - MAX_AHEAD_MS) {
    lastMs = nowMs
    // The counter has 32 bits. It starts at a random number whose first bit is 0, so at least two billion ids follow
    // before it overflows.
    counter = new DataView(random.buffer, random.byteOffset).getUint32(0) >>> 1
  } else counter++
  return v7({ msecs: lastMs, seq: counter, random })
}

export const isId = (text: string): boolean => validate(text)

/**
 * Returns an id that is not greater than the id of any row created at or after this time. A query can use it
 * to select a period as a range of ids in the index.
 */
export function firstIdAt(at: Date): string {
  const ms = Math.min(Math.max(at.getTime(), 0), 2 ** 48 - 1)
  const hex = ms.toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`
}

/** The greatest possible ID. No row has this ID, so all rows have smaller IDs. */
export const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** Returns the smallest id that is greater than this id. For the greatest possible id, returns this id itself. */
export function idAfter(id: string): string {
  if (id.toLowerCase() === LAST_ID) return LAST_ID
  const hex = (BigInt(`0x${id.replaceAll('-', '')}`) + 1n).toString(16).padStart(32, '0')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/**
 * Returns the time when the ID was created. For an ID that the function `firstIdAt` returned, returns the
 * time that was passed to `firstIdAt`.
 */
export const timeOfId = (id: string): Date => new Date(Number.parseInt(id.replace('-', '').slice(0, 12), 16))

/**
 * Returns a range of ids that contains all rows created in the given period, and a few other rows. A query
 * that uses the range must therefore also filter by created_at.
 */
export const idsMadeIn = ({ from, before }: { from: Date; before: Date }) => ({
  fromId: firstIdAt(after(from, -APART_MS)),
  beforeId: firstIdAt(after(before, APART_MS)),
})
