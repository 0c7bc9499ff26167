// Looks up the refunds and disputes that webhooks report, because a payment request's status does not list them.

import type { Inquiry, MoneyReturn, ProviderAccount } from '../provider.ts'
import { fetchDispute, listRefunds } from './client.ts'
import type { Credentials } from './credentials.ts'
import type { PaymentRequest, XenditDispute } from './messages.ts'
import { disputed, returnOf } from './returns.ts'

type Account = ProviderAccount<Credentials>

/**
 * If a refund is reported (`reportedReturns`), returns all refunds of the payment request. Also returns each
 * reported dispute that exists at Xendit and is about the payment request.
 */
export async function findReturns(
  account: Account,
  request: PaymentRequest,
  { reportedReturns = [] }: Pick<Inquiry, 'reportedReturns'>,
): Promise<MoneyReturn[]> {
  const hasRefund = reportedReturns.some(({ kind }) => kind === 'refund')
  const listed = hasRefund ? await listRefunds(account, request.payment_request_id) : []
  const found = withoutFailedAttempts(listed.map(each => returnOf(each, 'pending')))
  for (const { kind, id } of reportedReturns) {
    if (kind !== 'chargeback' || id === null) continue
    const dispute = await fetchDispute(account, id)
    if (dispute?.id === id && isAbout(dispute, request)) found.push(...(disputed(dispute).returns ?? []))
  }
  return found
}

/**
 * Removes each failed refund for which the list also contains a refund with the same reference that has not failed. The
 * list may contain both if the refund was requested repeatedly.
 */
const withoutFailedAttempts = (refunds: MoneyReturn[]): MoneyReturn[] =>
  refunds.filter(
    ({ status, reference }) =>
      status !== 'failed' ||
      !refunds.some(
        each => reference !== undefined && each.reference === reference && each.status !== 'failed',
      ),
  )

/**
 * Returns whether the dispute is about the payment request. This is checked because a forged webhook may
 * contain the ID of another payment's dispute.
 */
const isAbout = ({ reference_id, payment_id }: XenditDispute, request: PaymentRequest): boolean =>
  reference_id === null
    ? payment_id !== undefined && payment_id === request.latest_payment_id
    : reference_id === request.reference_id
