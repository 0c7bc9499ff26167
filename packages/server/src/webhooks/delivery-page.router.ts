// Reads one page of webhook deliveries to the callback URL or to an additional endpoint. Both the tenant and the
// operator's support staff can read these lists.

import type { z } from 'zod'
import { type longListInput, longListOf, totalOf } from '../api/long-list.ts'
import { pageWith, startOf } from '../api/page.ts'
import type { Count } from '../db/count-rows.ts'
import type { PageStart } from '../db/list-order.ts'
import { limitLargeReads, type Reader } from '../fairness/large-read-limit.ts'
import { limitPageSize } from '../fairness/page-size-limit.ts'
import type { Delivery } from './delivery/delivery.sql.ts'
import { deliveryView, viewDelivery } from './webhook-view.ts'

export const deliveryPage = longListOf(deliveryView, 'WebhookDeliveryPage')

/**
 * Returns one page of webhook deliveries. `list` reads the page's deliveries, and `count` counts all of them. A
 * page is limited to 512 KiB, because deliveries contain the receiver's responses.
 */
export async function readDeliveryPage(
  reader: Reader,
  input: z.output<typeof longListInput>,
  list: (start: PageStart, limit: number) => Promise<Delivery[]>,
  count: () => Promise<Count>,
) {
  // The cursor is parsed first, so that an invalid cursor is rejected without a database query.
  const start = startOf(input)
  const page = await limitLargeReads(reader, async () =>
    limitPageSize(await list(start, input.limit + 1), input.limit, bytesOf),
  )
  return {
    ...pageWith(page.rows, page.hasMore, viewDelivery, input.order),
    ...(await totalOf(input, count)),
  }
}

/**
 * Returns the approximate size of a webhook delivery in bytes. A delivery has up to ten attempts, each with
 * up to 4 KiB of the receiver's response.
 */
const bytesOf = ({ attempts }: Delivery): number =>
  attempts.reduce(
    (sum, { responseBody, responseHeaders }) =>
      sum + 500 + (responseBody?.length ?? 0) + JSON.stringify(responseHeaders).length,
    500,
  )
