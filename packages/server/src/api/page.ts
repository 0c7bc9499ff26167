// Lists come in pages, newest first. A cursor is the id that the page ended with, wrapped so that nobody
// builds on what is in it; ids are UUIDv7 and therefore in the order of time.

import { z } from 'zod'
import { GatewayError } from '../errors.ts'
import { isId } from '../id.ts'

/** The query parameters of every list; they come as text, so these are read from it. */
export const pageInput = z.object({
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(100)
    .default(20)
    .meta({ description: 'How many, 1 to 100', example: 20 }),
  cursor: z.string().max(200).optional().meta({ description: '`next_cursor` of the page before' }),
})
export type PageInput = z.output<typeof pageInput>

export const pageOf = <View extends z.ZodType>(view: View, id: string) =>
  z
    .strictObject({
      items: z.array(view),
      next_cursor: z
        .string()
        .nullable()
        .meta({ description: 'Send it as `cursor` for the next page; null: this is the last' }),
    })
    .meta({ id })

/** The id after which the page begins; undefined for the first page. Throws BAD_REQUEST. */
export function afterId({ cursor }: PageInput): string | undefined {
  if (cursor === undefined) return undefined
  const id = Buffer.from(cursor, 'base64url').toString('latin1')
  if (!isId(id)) throw badCursor()
  return id
}

export const badCursor = () => new GatewayError('BAD_REQUEST', 'cursor: is none; send next_cursor as it came')

/** rows: read with a limit of one more than the page, to know whether there is another. */
export function toPage<Row extends { id: string }, View>(
  rows: Row[],
  { limit }: PageInput,
  view: (row: Row) => View,
): { items: View[]; next_cursor: string | null } {
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  const more = rows.length > limit && last !== undefined
  return {
    items: page.map(view),
    next_cursor: more ? Buffer.from(last.id, 'latin1').toString('base64url') : null,
  }
}
