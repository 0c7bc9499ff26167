// UUID version 7 (RFC 9562) sorts by time, so inserts go to the end of an index.

import { v7, validate } from 'uuid'
import { after } from './time.ts'

export const newId = (): string => v7()
export const isId = (text: string): boolean => validate(text)

/** A lower bound for all ids made at that moment or later, so that a period of time is a range of the index. */
export function firstIdAt(at: Date): string {
  const ms = Math.min(Math.max(at.getTime(), 0), 2 ** 48 - 1)
  const hex = ms.toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`
}

/** The time at which the id was made; for `firstIdAt`, the time it was given. */
export const timeOfId = (id: string): Date => new Date(Number.parseInt(id.replace('-', '').slice(0, 12), 16))

/** A row's id and created_at come from two clock reads, and the process may pause between them. */
const APART_MS = 60_000

/** The range of ids of all rows created in a period, and of a few more; filter by created_at for the exact rows. */
export const idsMadeIn = ({ from, before }: { from: Date; before: Date }) => ({
  fromId: firstIdAt(after(from, -APART_MS)),
  beforeId: firstIdAt(after(before, APART_MS)),
})
