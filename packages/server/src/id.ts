// UUID version 7 (RFC 9562): sorts by time, so an index grows at its end.

import { v7, validate } from 'uuid'
import { after } from './time.ts'

export const newId = (): string => v7()
export const isId = (text: string): boolean => validate(text)

/** Not after any id made at that moment or later, so that a stretch of time is a stretch of an index. */
export function firstIdAt(at: Date): string {
  const ms = Math.min(Math.max(at.getTime(), 0), 2 ** 48 - 1)
  const hex = ms.toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`
}

/** When it was made, or from when a stretch of ids begins. */
export const timeOfId = (id: string): Date => new Date(Number.parseInt(id.replace('-', '').slice(0, 12), 16))

/** A row's id and its created_at are read from the clock in the same moment; a pause can come between. */
const APART_MS = 60_000

/** Ids of all rows that were created in a stretch of time, and of a few more: created_at tells exactly. */
export const idsMadeIn = ({ from, before }: { from: Date; before: Date }) => ({
  fromId: firstIdAt(after(from, -APART_MS)),
  beforeId: firstIdAt(after(before, APART_MS)),
})
