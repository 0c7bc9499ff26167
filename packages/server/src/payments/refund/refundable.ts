// Determines how much of a payment can still be refunded, and which refund rules its channel has.

import { fault } from '../../faults/fault.ts'
import type { AnyProvider } from '../../providers/provider.ts'
import type { RefundTerms } from '../../providers/refund-terms.ts'
import { type Cents, isWholeRupiah } from '../../values/money.ts'
import type { Payment } from '../payment.ts'
import type { PaymentRefund } from '../record/refund.ts'

/**
 * Returns the payment's refunds that have not failed, their total, and the amount that can still be refunded. Only
 * refunds of the amount paid are included.
 */
export function refundableOf(
  amountPaid: Cents,
  refunds: readonly PaymentRefund[],
): { standing: PaymentRefund[]; refunded: Cents; left: Cents } {
  const standing = refunds.filter(({ status, source }) => status !== 'failed' && source === 'amount_paid')
  const refunded = standing.reduce((sum, { amount }) => sum + amount, 0n)
  return { standing, refunded, left: amountPaid > refunded ? amountPaid - refunded : 0n }
}

/**
 * The maximum number of refunds that a merchant can create for a payment, including failed ones. It bounds the lists of
 * the payment's refunds, ledger entries and webhook events. Trigger `refunds_are_left` enforces it, too.
 */
const MAX_REFUNDS = 100

export function requireFewRefunds(refunds: readonly PaymentRefund[]): void {
  const created = refunds.filter(({ origin }) => origin === 'merchant').length
  if (created >= MAX_REFUNDS) throw fault('refunds_of_payment_exceeded', { max: MAX_REFUNDS })
}

/**
 * Throws an error if a refund includes a fraction of a rupiah, which no provider refunds and no bank transfers. A refund
 * of all that is left is exempt, because some payers paid such an amount.
 */
export function requireWholeRupiah(amount: Cents, left: Cents): void {
  if (!isWholeRupiah(amount) && amount !== left) throw fault('refund_fraction', {}, { field: 'amount' })
}

type OfChannel = Pick<Payment, 'methodType' | 'channel'>

const channelOf = ({ methods }: AnyProvider, { methodType, channel }: OfChannel) =>
  methods.find(({ type }) => type === methodType)?.channels.find(({ code }) => code === channel)

/**
 * Returns the refund rules of the payment's channel, or undefined if the provider cannot refund the payment.
 */
export const refundTermsOf = (provider: AnyProvider, payment: OfChannel): RefundTerms | undefined =>
  provider.refunds && channelOf(provider, payment)?.refund

/** Returns the provider's and the channel's names, for error messages. */
export const refundNamesOf = (
  provider: AnyProvider,
  payment: OfChannel,
): { provider: string; channel: string } => ({
  provider: provider.name,
  channel: channelOf(provider, payment)?.name ?? payment.channel,
})
