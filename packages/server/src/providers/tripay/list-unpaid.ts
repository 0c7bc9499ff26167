// Finds the unpaid orders among many orders, using the merchant's list of transactions.

import type { Inquiry, ProviderAccount } from '../provider.ts'
import { listTransactions, TRANSACTIONS_PER_PAGE } from './client.ts'
import type { Credentials } from './credentials.ts'
import { timeOf } from './translate.ts'

/** The maximum number of pages to read. An order on a later page is polled separately. */
const MOST_PAGES = 4
/**
 * The time before the oldest order that the list must reach. It tolerates clock skew between Tripay and this service,
 * and the duration of a create request.
 */
const SLACK_MS = 60_000

export async function listUnpaid(
  account: ProviderAccount<Credentials>,
  inquiries: Inquiry[],
): Promise<ReadonlySet<string>> {
  const wanted = new Set(inquiries.map(({ reference }) => reference))
  const oldestMs = Math.min(...inquiries.map(({ startedAt }) => startedAt.getTime())) - SLACK_MS
  const unpaid = new Set<string>()
  const moved = new Set<string>()
  // The number of requests for pages is at most half of the number of inquiries that the list may save.
  const pages = Math.min(MOST_PAGES, Math.ceil(inquiries.length / 2))
  for (let page = 1; page <= pages; page += 1) {
    const listed = await listTransactions(account, page)
    for (const { merchant_ref, status } of listed) {
      if (merchant_ref === undefined || !wanted.has(merchant_ref)) continue
      if (status === 'UNPAID') unpaid.add(merchant_ref)
      else moved.add(merchant_ref)
    }
    const last = timeOf(listed.at(-1)?.created_at)
    if (listed.length < TRANSACTIONS_PER_PAGE || (last && last.getTime() < oldestMs)) break
  }
  // A reference may occur more than once in the list. If one of its transactions is not unpaid, the order is not listed
  // as unpaid.
  return new Set([...unpaid].filter(reference => !moved.has(reference)))
}
