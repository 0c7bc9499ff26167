// How much of a payment a merchant can refund, and how. The dashboard shows this before the user requests a refund.

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
  /** The name of the provider that received the money, and the name of the channel the payer used. */
  provider: z.string(),
  channel: z.string(),
  paid_at: z.iso.datetime(),
  /**
   * Amounts in cents: the amount paid, the total of the refunds that have not failed, and the amount that can still
   * be refunded.
   */
  amount_paid: z.int(),
  refunded: z.int(),
  left: z.int(),
  /** The number of the payment's refunds that have not failed. */
  refunds: z.int(),
  /**
   * The channel's refund rules. Null if the provider cannot refund this payment. The operator must then refund it by
   * bank transfer.
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

/** Returns what can be refunded, or null if the payment was not paid or the provider reversed it. */
export async function offerRefund(
  app: { db: Db; accountOf: LoadAccount },
  payment: Payment,
): Promise<z.output<typeof refundOfferView> | null> {
  const { status, amountPaid, paidAt, reversedAt, tenantId, id: paymentId } = payment
  if (status !== 'paid' || amountPaid === null || paidAt === null || reversedAt !== null) return null
  const key = { tenantId, paymentId }
  const [{ provider, isOwnOrder }, refunds] = await Promise.all([
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
    terms: viewTerms(isOwnOrder ? refundTermsOf(provider, payment) : undefined),
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
