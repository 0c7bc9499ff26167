// Pagination of lists. A cursor is the encoded ID of the last item on the page, because IDs are UUIDv7 and sort by
// time. A cursor is valid only for its list's sort order. Cursors of lists sorted oldest first therefore also contain
// the sort order.

import { z } from 'zod'
import type { ListOrder, PageStart } from '../db/list-order.ts'
import { fault } from '../faults/fault.ts'
import { isId } from '../values/id.ts'
import { queryInteger } from '../values/query-integer.ts'

const limit = queryInteger(1, 100)

/** The query parameters for every list. Values in a query string are text, so the schema converts them to numbers. */
export const pageInput = z.object({
  limit: limit
    .default(20)
    .meta({ description: 'Maximum number of items to return, 1 to 100 (default 20)', example: 20 }),
  cursor: z.string().max(200).optional().meta({
    description:
      'The `next_cursor` of the previous page, unchanged. If omitted, the list starts at the first page',
  }),
})
export type PageInput = z.output<typeof pageInput>

/**
 * The query parameters for a short list, such as routing rules. Without a limit, the response contains the whole
 * list, because an update replaces all items and clients therefore need all of them.
 */
export const partInput = pageInput.extend({
  limit: limit
    .meta({
      description: 'Maximum number of items to return, 1 to 100. If omitted, all items are returned',
      example: 20,
    })
    .optional(),
})
export type PartInput = z.output<typeof partInput>

export const pageOf = <View extends z.ZodType>(view: View, id: string) =>
  z
    .strictObject({
      items: z.array(view),
      next_cursor: z.string().nullable().meta({
        description: 'Cursor for the next page: pass this value as `cursor`. null on the last page',
      }),
    })
    .meta({ id, description: 'One page of a list' })

/**
 * Returns the ID of the item after which the page starts, or undefined for the first page. Throws BAD_REQUEST if
 * the cursor is invalid.
 */
export const afterId = ({ cursor }: PageInput): string | undefined =>
  startOf({ cursor, order: 'newest' }).afterId

/**
 * Returns the sort order and the ID of the item after which the requested page starts. Throws BAD_REQUEST if
 * the cursor is invalid or was issued for another sort order.
 */
export function startOf({ cursor, order }: Pick<PageInput, 'cursor'> & { order: ListOrder }): PageStart {
  if (cursor === undefined) return { order, afterId: undefined }
  const text = Buffer.from(cursor, 'base64url').toString('latin1')
  const orderOfCursor = text.startsWith(OLDEST) ? 'oldest' : 'newest'
  const afterId = orderOfCursor === 'oldest' ? text.slice(OLDEST.length) : text
  if (!isId(afterId)) throw badCursor()
  if (orderOfCursor !== order)
    throw fault('cursor_of_other_order', { order: orderOfCursor }, { field: 'cursor' })
  return { order, afterId }
}

/**
 * The prefix of cursors for lists with the order `oldest`. It distinguishes them from other cursors, because
 * no ID begins with it.
 */
const OLDEST = 'oldest '

/**
 * Reads the cursor for a list of numbered items. Returns the number of the last item on the previous page, or 0 for
 * the first page. Throws BAD_REQUEST if the cursor is invalid.
 */
export function afterNumber({ cursor }: PageInput): number {
  if (cursor === undefined) return 0
  const number = Buffer.from(cursor, 'base64url').toString('latin1')
  if (!/^[1-9]\d{0,8}$/.test(number)) throw badCursor()
  return Number(number)
}

export const badCursor = () => fault('cursor_invalid', {}, { field: 'cursor' })

/** Builds a page. `rows` must contain one extra row if there is a next page. */
export function toPage<Row extends { id: string }, View>(
  rows: Row[],
  { limit, order }: Pick<PageInput, 'limit'> & { order?: ListOrder },
  view: (row: Row) => View,
): { items: View[]; next_cursor: string | null } {
  return pageWith(rows.slice(0, limit), rows.length > limit, view, order)
}

/** Builds a page from `rows`, which contains exactly the rows on this page and none from the next page. */
export function pageWith<Row extends { id: string }, View>(
  rows: Row[],
  hasMore: boolean,
  view: (row: Row) => View,
  order?: ListOrder,
): { items: View[]; next_cursor: string | null } {
  return pageFrom(rows, hasMore ? rows.at(-1)?.id : undefined, view, order)
}

/**
 * Builds a page of a list. `resumeAfterId` is the ID of the item after which the next page starts, or undefined
 * if there is no next page.
 */
export const pageFrom = <Row, View>(
  rows: Row[],
  resumeAfterId: string | undefined,
  view: (row: Row) => View,
  order: ListOrder = 'newest',
): { items: View[]; next_cursor: string | null } => ({
  items: rows.map(view),
  next_cursor:
    resumeAfterId === undefined ? null : cursorOf(`${order === 'oldest' ? OLDEST : ''}${resumeAfterId}`),
})

/**
 * Returns one page of the list `rows`, which must contain all rows. The function `keyOf` returns a row's
 * unique key. Throws BAD_REQUEST if the row that the cursor refers to no longer exists.
 */
export function toPart<Row, View>(
  rows: Row[],
  { limit = rows.length, cursor }: PartInput,
  keyOf: (row: Row) => string,
  view: (row: Row) => View,
): { items: View[]; next_cursor: string | null } {
  const before = cursor === undefined ? -1 : rows.findIndex(row => cursorOf(keyOf(row)) === cursor)
  if (cursor !== undefined && before < 0) throw fault('cursor_stale', {}, { field: 'cursor' })
  const rest = rows.slice(before + 1)
  const part = rest.slice(0, limit)
  const last = part.at(-1)
  const more = rest.length > part.length && last !== undefined
  return { items: part.map(view), next_cursor: more ? cursorOf(keyOf(last)) : null }
}

const cursorOf = (key: string): string => Buffer.from(key, 'latin1').toString('base64url')
