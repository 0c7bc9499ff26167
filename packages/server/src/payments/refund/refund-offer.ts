// The part of a payment that a merchant can refund, as the dashboard shows it before a refund is requested.

import { z } from 'zod'
import type { Db } from '../../db/db.ts'
import type { LoadAccount } from '../../provider-accounts/load-account.ts'
import type { RefundTerms } from '../../providers/refund-terms.ts'
import { toJsonNumber } from '../../values/money.ts'
import type { Payment } from '../payment.ts'
import { listRefundsOfPayments } from '../record/refund.sql.ts'
import { paidAttempt } from './paid-attempt.ts'
import { refundableOf, refundNamesOf, refundTermsOf } from './refundable.ts'

export const refundOfferView = z.strictObject({
  /** The names of the provider that received the money, and of the channel. */
  provider: z.string(),
  channel: z.string(),
  paid_at: z.iso.datetime(),
  /** Amounts in cents: what was paid, the refunds that have not failed, and what is left to refund. */
  amount_paid: z.int(),
  refunded: z.int(),
  left: z.int(),
  /** The number of refunds that have not failed. */
  refunds: z.int(),
  /**
   * The refund terms of the channel. Null if the provider cannot make refunds for the channel, so that only a bank
   * transfer is possible.
   */
  terms: z
    .strictObject({
      amounts: z.enum(['full', 'partial']),
      max_refunds: z.int().nullable(),
      window_days: z.int().nullable(),
      hours: z.strictObject({ from: z.string(), to: z.string() }).nullable(),
      min_amount: z.int().nullable(),
    })
    .nullable(),
})

/** Returns the offer, or null if the payment cannot be refunded: it was not paid, or the provider reversed it. */
export async function offerRefund(
  app: { db: Db; accountOf: LoadAccount },
  payment: Payment,
): Promise<z.output<typeof refundOfferView> | null> {
  const { status, amountPaid, paidAt, reversedAt, tenantId, id: paymentId } = payment
  if (status !== 'paid' || amountPaid === null || paidAt === null || reversedAt !== null) return null
  const key = { tenantId, paymentId }
  const [{ provider }, refunds] = await Promise.all([
    paidAttempt(app, key),
    listRefundsOfPayments(app.db, [key]),
  ])
  const { standing, refunded, left } = refundableOf(amountPaid, refunds)
  return {
    ...refundNamesOf(provider, payment),
    paid_at: paidAt.toISOString(),
    amount_paid: toJsonNumber(amountPaid),
    refunded: toJsonNumber(refunded),
    left: toJsonNumber(left),
    refunds: standing.length,
    terms: viewTerms(refundTermsOf(provider, payment)),
  }
}

const viewTerms = (terms: RefundTerms | undefined) =>
  terms
    ? {
        amounts: terms.amounts,
        max_refunds: terms.maxRefunds ?? null,
        window_days: terms.windowDays ?? null,
        hours: terms.hours ?? null,
        min_amount: terms.minAmount === undefined ? null : toJsonNumber(terms.minAmount),
      }
    : null
