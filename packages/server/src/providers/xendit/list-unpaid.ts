// Which of many orders are unpaid still, read from the list of the account's transactions.

import type { Inquiry, ProviderAccount } from '../provider.ts'
import { listPayments } from './client.ts'
import type { Credentials } from './credentials.ts'

/** An account with more payments than these pages show since the oldest of the orders has each asked about. */
const MOST_PAGES = 4
/** Xendit's clock against ours. */
const SLACK_MS = 5 * 60_000

/**
 * The list shows money that moved, and an order that it does not show is unpaid. That holds only if the whole of it was
 * read since the oldest of the orders was created: its order by date is not documented.
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

/** References and ids of the payment requests; undefined where the list is too long, or leaves open what it is about. */
async function listMoved(
  account: ProviderAccount<Credentials>,
  since: Date,
  mostPages: number,
): Promise<ReadonlySet<string> | undefined> {
  const moved = new Set<string>()
  let afterId: string | undefined
  for (let page = 1; page <= Math.min(MOST_PAGES, mostPages); page += 1) {
    const list = await listPayments(account, since, afterId)
    if (!list) return undefined
    for (const { status, reference_id, product_data } of list.data) {
      const names = [reference_id, product_data?.payment_request_id].filter(name => name !== undefined)
      // It may be about any of the orders.
      if (names.length === 0) return undefined
      // A QRIS code that is not paid yet is listed as PENDING (a recorded answer of a test key).
      if (status !== 'PENDING') for (const name of names) moved.add(name)
    }
    if (!list.has_more) return moved
    afterId = list.data.at(-1)?.id
    if (afterId === undefined) return undefined
  }
  return undefined
}
