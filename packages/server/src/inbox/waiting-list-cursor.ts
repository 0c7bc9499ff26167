// Pagination cursors for payments waiting for a decision. The lists are sorted by time, tenant and ID, so a cursor
// contains these three values.

import { z } from 'zod'
import type { Payment } from '../payments/payment.ts'
import { isId } from '../values/id.ts'

export type WaitingListCursor = { since: Date; tenantId: string; id: string }

export const cursorAfter = ({ updatedAt, tenantId, id }: Payment): string =>
  Buffer.from(`${updatedAt.toISOString()} ${tenantId} ${id}`, 'latin1').toString('base64url')

const isoTime = z.iso.datetime()

/**
 * Parses a pagination cursor of a list of payments that wait for a decision. Returns undefined if the text is
 * not a valid cursor.
 */
export function parseCursor(cursor: string): WaitingListCursor | undefined {
  const [since = '', tenantId = '', id = ''] = Buffer.from(cursor, 'base64url').toString('latin1').split(' ')
  if (!isoTime.safeParse(since).success || !isId(tenantId) || !isId(id)) return undefined
  return { since: new Date(since), tenantId, id }
}

/**
 * Returns a page of at most `limit` payments and the cursor for the next page. If a next page exists, `rows`
 * must contain one row more than `limit`. The page does not contain this extra row.
 */
export function waitingPage<Row extends Payment, View>(rows: Row[], limit: number, view: (row: Row) => View) {
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? page.at(-1) : undefined
  return { items: page.map(view), next_cursor: last ? cursorAfter(last) : null }
}
