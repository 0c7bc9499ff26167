// Determines the transfer in the tenant's double-entry ledger (docs/book.md) that results from a payment event.

import type { Account } from '../../ledger/account.ts'
import { type Movement, type Transfer, transfer } from '../../ledger/transfer.ts'
import { type Payment, type PaymentEvent, referenceOf } from '../payment.ts'

/**
 * Returns the transfer for an event, or undefined if the event moves no money. A paid payment has exactly one
 * credit, for the amount received. This credit never changes, because later corrections are separate entries.
 */
export function transferFor(payment: Payment, event: PaymentEvent): Transfer | undefined {
  const of = (
    moved: Movement,
    { reason, unexpectedMoneyId }: { reason: string; unexpectedMoneyId?: string },
  ): Transfer => ({
    ...moved,
    tenantId: payment.tenantId,
    mode: payment.mode,
    paymentId: payment.id,
    referenceId: payment.paymentCode,
    unexpectedMoneyId: unexpectedMoneyId ?? null,
    reason,
  })
  const { paymentCode } = payment
  switch (event.type) {
    case 'paid':
      return of(transfer(providerOf(payment, event), 'merchant', event.amountPaid), {
        reason:
          event.unconfirmed === undefined
            ? `payment ${paymentCode} received`
            : `payment ${paymentCode} credited without the provider's confirmation: ${event.unconfirmed}`,
      })
    case 'paid_again':
      return of(transfer('provider', 'merchant', event.amount), {
        reason: event.why ?? `further money for payment ${paymentCode} accepted`,
        unexpectedMoneyId: event.unexpectedMoneyId,
      })
    case 'reversed':
      if (event.amount === undefined) throw new Error(`the reversal of payment ${payment.id} has no amount`)
      // Nothing is debited, because the reversed money was never credited.
      if (event.amount === 0n) return undefined
      return of(transfer('merchant', 'provider', event.amount), {
        reason: `payment ${paymentCode} reversed by the provider: ${event.reason}`,
        unexpectedMoneyId: event.unexpectedMoneyId,
      })
    default:
      return undefined
  }
}

/**
 * Returns the provider account that received the money. If the money belongs to an earlier charge attempt, the payment
 * does not contain this account. The function then returns `provider`, and the database looks up the account.
 */
function providerOf(payment: Payment, { reference, assignedFrom }: ReceivedMoney): Account {
  if (assignedFrom !== undefined) return `provider:${assignedFrom}`
  return reference === referenceOf(payment) ? `provider:${payment.providerAccountId}` : 'provider'
}
type ReceivedMoney = { reference: string; assignedFrom?: string }
