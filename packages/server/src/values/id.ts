// Creates ids. They are UUIDs of version 7 (RFC 9562), which sort by time, so new rows go to the end of an index.

import { v7, validate } from 'uuid'
import { after } from './time.ts'

export const newId = (): string => v7()
export const isId = (text: string): boolean => validate(text)

/**
 * Returns an id that is not greater than any id created at or after this time. A query can thus select a period of time
 * as a range of ids in the index.
 */
export function firstIdAt(at: Date): string {
  const ms = Math.min(Math.max(at.getTime(), 0), 2 ** 48 - 1)
  const hex = ms.toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`
}

/** The greatest id, which no row has. */
export const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** Returns the smallest id that is greater than this id. For the greatest id, returns the id itself. */
export function idAfter(id: string): string {
  if (id.toLowerCase() === LAST_ID) return LAST_ID
  const hex = (BigInt(`0x${id.replaceAll('-', '')}`) + 1n).toString(16).padStart(32, '0')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** Returns the creation time of the id, or the time passed to `firstIdAt`. */
export const timeOfId = (id: string): Date => new Date(Number.parseInt(id.replace('-', '').slice(0, 12), 16))

/**
 * The maximum difference between the time in a row's id and the row's created_at. The two times can differ, because the
 * process may pause between the two readings of the clock.
 */
const APART_MS = 60_000

/**
 * Returns the range of the ids of all rows created in a period. The range includes a few more rows, so a query must
 * also filter by created_at.
 */
export const idsMadeIn = ({ from, before }: { from: Date; before: Date }) => ({
  fromId: firstIdAt(after(from, -APART_MS)),
  beforeId: firstIdAt(after(before, APART_MS)),
})
