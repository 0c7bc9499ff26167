// Asks the provider how a payment stands and records its answer: how an unknown outcome is settled, and the
// last look before a payment expires.

import type { App } from '../app.ts'
import { ProviderError, type ProviderReport } from '../providers/provider.ts'
import { hasMoved, isShown, type Payment, type PaymentEvent, paymentReceived } from './payment.ts'

type Deps = Pick<App, 'accountOf' | 'record' | 'clock' | 'log'>

/** The payment as it is afterwards; unchanged where the provider does not answer. */
export async function refreshPayment(app: Deps, payment: Payment): Promise<Payment> {
  const word = await askAbout(app, payment)
  if (word === 'no answer') return payment
  const now = app.clock()
  const applied = await app.record({
    tenantId: payment.tenantId,
    paymentId: payment.id,
    event: current =>
      (word === 'absent' ? undefined : eventOfReport(word, current, now)) ??
      // That nothing is there, or nothing to pay by, was so when we asked: another try may be under way now.
      (hasMoved(payment, current)
        ? undefined
        : (absence(word, current, now) ?? lostInstructions(word, current))),
    cause: 'inquiry',
  })
  return applied.payment
}

async function askAbout(app: Deps, payment: Payment): Promise<ProviderReport | 'absent' | 'no answer'> {
  const loaded = await app.accountOf(payment.providerAccountId)
  if (!loaded) throw new Error(`there is no provider account ${payment.providerAccountId}`)
  try {
    return await loaded.provider.inquire(loaded.account, {
      reference: payment.paymentCode,
      providerPaymentId: payment.providerPaymentId,
      methodDetail: payment.methodDetail,
    })
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    app.log.warn(
      { err: error, tenantId: payment.tenantId, paymentId: payment.id, provider: payment.provider },
      'inquiry not answered',
    )
    return 'no answer'
  }
}

/** The provider may still be at a charge whose end we did not see: absence proves nothing before this. */
const ABSENCE_HOLDS_AFTER_MS = 20_000

/** A shown payment was accepted once; that the provider forgot it is no fact about it. */
function absence(word: ProviderReport | 'absent', payment: Payment, now: Date): PaymentEvent | undefined {
  if (word !== 'absent' || isShown(payment.status)) return undefined
  if (now.getTime() - payment.updatedAt.getTime() < ABSENCE_HOLDS_AFTER_MS) return undefined
  return { type: 'not_created', reason: 'the provider has no such order' }
}

/**
 * The order exists, but the provider does not tell again how to pay it: it is over for the merchant. If money
 * should come all the same it still counts.
 */
function lostInstructions(word: ProviderReport | 'absent', payment: Payment): PaymentEvent | undefined {
  if (word === 'absent' || word.fact.type !== 'pending' || isShown(payment.status)) return undefined
  return {
    type: 'failed',
    reason: 'the provider took the order but its payment instructions were lost; create a new payment',
  }
}

/** Undefined where nothing follows from the report. */
export function eventOfReport(
  report: ProviderReport,
  payment: Pick<Payment, 'amount'>,
  now: Date,
): PaymentEvent | undefined {
  const { fact, providerPaymentId } = report
  switch (fact.type) {
    case 'pending':
      return fact.methodData && { type: 'accepted', providerPaymentId, methodData: fact.methodData }
    case 'paid':
      return paymentReceived(payment, {
        amountPaid: fact.amountPaid,
        paidAt: fact.paidAt ?? now,
        providerPaymentId,
      })
    case 'failed':
    case 'challenged':
      return { type: fact.type, reason: fact.reason }
    case 'expired':
    case 'cancelled':
      return { type: fact.type }
    case 'nothing':
    case 'unproven':
      return undefined
  }
}
