// Asks the provider how a payment stands and records its answer: how an unknown outcome is settled, and how a
// payment whose callback was lost is found to be paid.

import type { App } from '../app.ts'
import type { ProviderWord } from '../providers/provider.ts'
import { askAbout, type OnRateLimit } from './ask-provider.ts'
import { hasMoved, isShown, type Payment, type PaymentEvent } from './payment.ts'
import { meaningOfAnswer } from './report.ts'

type Deps = Pick<App, 'accountOf' | 'health' | 'record' | 'clock' | 'log' | 'publicUrl'>

/** The payment as it is afterwards; unchanged where the provider does not answer. */
export const refreshPayment = async (app: Deps, payment: Payment): Promise<Payment> =>
  (await refresh(app, payment)).payment

/** isAnswered: whether the provider told what it can. */
export async function refresh(
  app: Deps,
  payment: Payment,
  onRateLimit?: OnRateLimit,
): Promise<{ payment: Payment; isAnswered: boolean }> {
  const askedAt = app.clock()
  const word = await askAbout(app, payment, onRateLimit)
  if (word === 'no answer' || word === 'untold') return { payment, isAnswered: word === 'untold' }
  const here = { now: app.clock(), publicUrl: app.publicUrl }
  const applied = await app.record({
    tenantId: payment.tenantId,
    paymentId: payment.id,
    event: current =>
      (word === 'absent' ? undefined : meaningOfAnswer(word, payment, current, here)) ??
      // That nothing is there, or nothing to pay by, was so when we asked: another try may be under way now.
      (hasMoved(payment, current)
        ? undefined
        : (absence(word, current, askedAt) ?? lostInstructions(word, current))),
    cause: 'inquiry',
  })
  return { payment: applied.payment, isAnswered: true }
}

/**
 * The provider may still be at a charge whose end we did not see: absence proves nothing before this. It counts
 * from there to the question; an answer that took its time tells of an earlier one.
 */
export const ABSENCE_HOLDS_AFTER_MS = 20_000

/** A shown payment was accepted once; that the provider forgot it is no fact about it. */
function absence(word: ProviderWord, payment: Payment, askedAt: Date): PaymentEvent | undefined {
  if (word !== 'absent' || isShown(payment.status)) return undefined
  if (askedAt.getTime() - payment.updatedAt.getTime() < ABSENCE_HOLDS_AFTER_MS) return undefined
  return { type: 'not_created', reason: 'the provider has no such order' }
}

/**
 * The order exists, but the provider does not tell again how to pay it: it is over for the merchant. If money
 * should come all the same it still counts.
 */
function lostInstructions(word: ProviderWord, payment: Payment): PaymentEvent | undefined {
  if (typeof word === 'string' || word.fact.type !== 'pending' || isShown(payment.status)) return undefined
  return {
    type: 'failed',
    reason: 'the provider took the order but its payment instructions were lost; create a new payment',
  }
}
