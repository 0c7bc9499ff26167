// A place in a list of payments that wait. Such a list is in the order of time and not of ids, so its cursor names all
// that it is ordered by.

import { z } from 'zod'
import { isId } from '../id.ts'
import type { Payment } from '../payments/payment.ts'

export type Place = { since: Date; tenantId: string; id: string }

export const cursorAt = ({ updatedAt, tenantId, id }: Payment): string =>
  Buffer.from(`${updatedAt.toISOString()} ${tenantId} ${id}`, 'latin1').toString('base64url')

const isoTime = z.iso.datetime()

/** Undefined where it is no cursor. */
export function placeOf(cursor: string): Place | undefined {
  const [since = '', tenantId = '', id = ''] = Buffer.from(cursor, 'base64url').toString('latin1').split(' ')
  if (!isoTime.safeParse(since).success || !isId(tenantId) || !isId(id)) return undefined
  return { since: new Date(since), tenantId, id }
}

/** rows: read with a limit of one more than the page, to know whether there is another. */
export function pageOfWaiting<Row extends Payment, View>(
  rows: Row[],
  limit: number,
  view: (row: Row) => View,
) {
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? page.at(-1) : undefined
  return { items: page.map(view), next_cursor: last ? cursorAt(last) : null }
}
