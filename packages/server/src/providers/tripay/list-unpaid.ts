// Finds unpaid orders in the merchant's list of transactions, which takes fewer requests than one status inquiry
// per order.

import type { Inquiry, ProviderAccount } from '../provider.ts'
import { listTransactions, TRANSACTIONS_PER_PAGE } from './client.ts'
import type { Credentials } from './credentials.ts'
import { timeOf } from './translate.ts'

/** The maximum number of pages to read. An order on a later page gets its own status inquiry. */
const MOST_PAGES = 4
/**
 * The list that we request from the provider begins this many milliseconds before the start of the oldest order. Clocks
 * may differ, and a create request takes time.
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
  // Reading a page of Tripay's list costs one request, and saves one inquiry for each order found on it. At
  // most one page is therefore read for every two orders, rounded up.
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
  // Several transactions can have the reference of one order. The order counts as unpaid only if all of them
  // are unpaid.
  return new Set([...unpaid].filter(reference => !moved.has(reference)))
}
