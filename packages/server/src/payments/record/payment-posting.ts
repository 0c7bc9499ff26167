// Maps an event that changed a payment to its ledger posting.

import type { Posting } from '../../ledger/posting.ts'
import type { Payment, PaymentEvent } from '../payment.ts'

/**
 * A paid payment has exactly one credit, of the amount received. The credit never changes; every later correction is a
 * separate entry.
 */
export function postingFor(payment: Payment, event: PaymentEvent): Posting | undefined {
  const of = (
    fields: Pick<Posting, 'entryType' | 'amount' | 'reason'> & { unexpectedMoneyId?: string },
  ): Posting => ({
    tenantId: payment.tenantId,
    mode: payment.mode,
    paymentId: payment.id,
    referenceId: payment.paymentCode,
    unexpectedMoneyId: null,
    ...fields,
  })
  const { paymentCode } = payment
  switch (event.type) {
    case 'paid':
      return of({
        entryType: 'credit',
        amount: event.amountPaid,
        reason:
          event.unconfirmed === undefined
            ? `payment ${paymentCode} received`
            : `payment ${paymentCode} credited without the provider's confirmation: ${event.unconfirmed}`,
      })
    case 'paid_again':
      return of({
        entryType: 'credit',
        amount: event.amount,
        reason: event.why ?? `further money for payment ${paymentCode} accepted`,
        unexpectedMoneyId: event.unexpectedMoneyId,
      })
    case 'reversed':
      if (event.amount === undefined)
        throw new Error(`nothing says what of payment ${payment.id} is taken back`)
      // The money that the provider took back was never credited, so nothing is debited.
      if (event.amount === 0n) return undefined
      return of({
        entryType: 'debit',
        amount: event.amount,
        reason: `payment ${paymentCode} reversed by the provider: ${event.reason}`,
        unexpectedMoneyId: event.unexpectedMoneyId,
      })
    case 'refunded':
      return of({
        entryType: 'debit',
        amount: event.amount,
        reason: `money of payment ${paymentCode} given back: ${event.reason}`,
        unexpectedMoneyId: event.unexpectedMoneyId,
      })
    default:
      return undefined
  }
}
