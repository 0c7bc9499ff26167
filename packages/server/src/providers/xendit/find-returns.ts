// Looks up the refunds and disputes that webhooks report, because a payment request's status does not list them.

import type { Inquiry, MoneyReturn, ProviderAccount } from '../provider.ts'
import { fetchDispute, listRefunds } from './client.ts'
import type { Credentials } from './credentials.ts'
import type { PaymentRequest, XenditDispute } from './messages.ts'
import { disputed, returnOf } from './returns.ts'

type Account = ProviderAccount<Credentials>

/**
 * Returns all of the payment request's refunds if `reportedReturns` contains a refund, and the disputes in
 * `reportedReturns` that Xendit knows.
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

/** After repeated requests, the list may contain failed attempts in addition to the refund with the same reference. */
const withoutFailedAttempts = (refunds: MoneyReturn[]): MoneyReturn[] =>
  refunds.filter(
    ({ status, reference }) =>
      status !== 'failed' ||
      !refunds.some(
        each => reference !== undefined && each.reference === reference && each.status !== 'failed',
      ),
  )

/** A forged webhook may contain the id of another payment's dispute. */
const isAbout = ({ reference_id, payment_id }: XenditDispute, request: PaymentRequest): boolean =>
  reference_id === null
    ? payment_id !== undefined && payment_id === request.latest_payment_id
    : reference_id === request.reference_id
