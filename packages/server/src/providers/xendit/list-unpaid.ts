// Finds unpaid orders by reading the account's list of transactions, which takes fewer requests than one status
// inquiry per order.

import type { Inquiry, ProviderAccount } from '../provider.ts'
import { fetchPaymentPage } from './client.ts'
import type { Credentials } from './credentials.ts'

/**
 * The maximum number of pages to read from Xendit's payment list. If the list has more pages, a separate status inquiry
 * is sent for each order.
 */
const MOST_PAGES = 4
/** The tolerated clock skew between Xendit and this service. */
const SLACK_MS = 5 * 60_000

/**
 * Returns the references of unpaid orders. An order is unpaid if Xendit's list does not contain it or contains it
 * only as PENDING. The whole list since the oldest order must be read, because its sort order is not documented.
 */
export async function listUnpaid(
  account: ProviderAccount<Credentials>,
  inquiries: Inquiry[],
): Promise<ReadonlySet<string>> {
  const oldestMs = Math.min(...inquiries.map(({ startedAt }) => startedAt.getTime()))
  const moved = await listMoved(account, new Date(oldestMs - SLACK_MS), Math.ceil(inquiries.length / 2))
  if (!moved) return new Set()
  const isMoved = ({ reference, providerPaymentId }: Inquiry) =>
    moved.has(reference) || (providerPaymentId !== null && moved.has(providerPaymentId))
  return new Set(inquiries.filter(inquiry => !isMoved(inquiry)).map(({ reference }) => reference))
}

/**
 * Returns the references and payment request IDs of the orders in Xendit's list for which money has moved. Returns
 * undefined if the list has too many pages, or if an entry contains neither a reference nor a payment request ID.
 */
async function listMoved(
  account: ProviderAccount<Credentials>,
  since: Date,
  mostPages: number,
): Promise<ReadonlySet<string> | undefined> {
  const moved = new Set<string>()
  let afterId: string | undefined
  for (let page = 1; page <= Math.min(MOST_PAGES, mostPages); page += 1) {
    const list = await fetchPaymentPage(account, since, afterId)
    if (!list) return undefined
    for (const { status, reference_id, product_data } of list.data) {
      const names = [reference_id, product_data?.payment_request_id].filter(name => name !== undefined)
      // An entry without IDs in Xendit's list may be about any of the requested orders, so none of them
      // counts as unpaid.
      if (names.length === 0) return undefined
      // An entry with the status PENDING does not show that money has moved. Xendit lists an unpaid QRIS code as
      // PENDING (in a recorded response to a request with a test key).
      if (status !== 'PENDING') for (const name of names) moved.add(name)
    }
    if (!list.has_more) return moved
    afterId = list.data.at(-1)?.id
    if (afterId === undefined) return undefined
  }
  return undefined
}
