// The sort order and total count for lists that can grow without limit.

import { z } from 'zod'
import type { Count } from '../db/count-rows.ts'
import { listOrders } from '../db/list-order.ts'
import { pageInput, pageOf } from './page.ts'

/**
 * The query parameters for a list that can grow without limit. If the order is `oldest`, the client gets the
 * oldest items first.
 */
export const longListInput = pageInput.extend({
  order: z.enum(listOrders).default('newest').meta({
    description:
      'Order of the items by creation time: `newest` first (default) or `oldest` first. A cursor is valid only for the order for which it was issued',
  }),
  count: z.enum(['true', 'false']).optional().meta({
    description:
      'If `true`, the page contains `total`, the number of items that match the filters. Send it only with the first page, because the total is the same on every page and counting takes time',
  }),
})

/** One page of a list that can grow without limit, with the total count if requested. */
export const longListOf = <View extends z.ZodType>(view: View, id: string) =>
  pageOf(view, id).extend({
    total: z
      .strictObject({
        count: z.int().min(0),
        is_exact: z.boolean().meta({
          description: 'False if counting stopped early, so there may be more matching items than `count`',
        }),
      })
      .optional()
      .meta({
        description:
          'The number of items that match the filters, up to 10,000. Returned only if the request has `count=true`',
      }),
  })

/**
 * Returns the number of items in the whole list if the parameter `count` is `true`. Otherwise, returns an
 * empty object.
 */
export async function totalOf(
  { count }: Pick<z.output<typeof longListInput>, 'count'>,
  read: () => Promise<Count>,
): Promise<{ total?: { count: number; is_exact: boolean } }> {
  if (count !== 'true') return {}
  const total = await read()
  return { total: { count: total.count, is_exact: total.isExact } }
}
