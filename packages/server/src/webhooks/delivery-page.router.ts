// Reads webhook deliveries: a single delivery, or a page of deliveries to the callback URL or to an additional
// endpoint. Both the tenant and the operator's support staff can read deliveries.

import type { z } from 'zod'
import { type longListInput, longListOf, totalOf } from '../api/long-list.ts'
import { pageWith, startOf } from '../api/page.ts'
import type { Count } from '../db/count-rows.ts'
import type { PageStart } from '../db/list-order.ts'
import { limitLargeReads, type Reader } from '../fairness/large-read-limit.ts'
import { limitPageSize } from '../fairness/page-size-limit.ts'
import type { Delivery, SentDelivery } from './delivery/delivery.sql.ts'
import { deliveryView, viewDelivery, viewSentDelivery } from './webhook-view.ts'

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
 * Returns one webhook delivery, which the function `find` reads. The delivery's size counts toward the limits
 * for large reads.
 */
export async function readSentDelivery(reader: Reader, find: () => Promise<SentDelivery>) {
  const { delivery } = await limitLargeReads(reader, async () => {
    const delivery = await find()
    return { delivery, bytes: bytesOf(delivery) + delivery.body.length }
  })
  return viewSentDelivery(delivery)
}

/**
 * Returns the approximate size of a webhook delivery in bytes. Each attempt contains up to 4 KiB of the receiver's
 * response. As JSON, a response of control characters is six times as long.
 */
const bytesOf = ({ attempts }: Delivery): number =>
  attempts.reduce(
    (sum, { responseBody, responseHeaders }) =>
      sum + 500 + JSON.stringify(responseBody).length + JSON.stringify(responseHeaders).length,
    500,
  )
