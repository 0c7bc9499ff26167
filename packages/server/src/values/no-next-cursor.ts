import { z } from 'zod'

/** The field `next_cursor` of a list that always has a single page. */
export const noNextCursor = z.string().nullable().meta({
  description: 'Cursor of the next page. Always null, because this list has only one page',
})
