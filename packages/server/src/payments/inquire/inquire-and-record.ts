// Polls the provider for a payment's status and records the result. An inquiry settles the outcome of an interrupted
// charge, and finds paid payments whose callback was lost.

import type { Logger } from '../../logging/log.ts'
import type { LoadAccount } from '../../provider-accounts/load-account.ts'
import type { ProviderHealth } from '../../provider-accounts/watch-health.ts'
import type { ProviderWord } from '../../providers/provider.ts'
import type { Clock } from '../../values/time.ts'
import { hasMoved, isShown, type Payment, type PaymentEvent } from '../payment.ts'
import type { RecordInBatch } from '../record/event-batch.ts'
import { meaningOfAnswer } from '../record/interpret-update.ts'
import { askAbout, type OnRateLimit } from './send-inquiry.ts'

type Deps = {
  accountOf: LoadAccount
  health: ProviderHealth
  recordInBatch: RecordInBatch
  clock: Clock
  log: Logger
  publicUrl: string
}

/**
 * Polls the provider and returns the payment after the inquiry. Returns it unchanged if the provider does not respond.
 */
export const refreshPayment = async (app: Deps, payment: Payment): Promise<Payment> =>
  (await refresh(app, payment)).payment

/**
 * Polls the provider and returns the payment. `isAnswered` is true if the provider responded, even if it cannot report
 * the payment's status.
 */
export async function refresh(
  app: Deps,
  payment: Payment,
  onRateLimit?: OnRateLimit,
): Promise<{ payment: Payment; isAnswered: boolean }> {
  const askedAt = app.clock()
  const word = await askAbout(app, payment, onRateLimit)
  if (word === 'no answer' || word === 'untold') return { payment, isAnswered: word === 'untold' }
  const here = { now: app.clock(), publicUrl: app.publicUrl }
  const applied = await app.recordInBatch({
    tenantId: payment.tenantId,
    paymentId: payment.id,
    event: current =>
      (word === 'absent' ? undefined : meaningOfAnswer(word, payment, current, here)) ??
      // The response that an order is absent, or has no payment instructions, was true at the time of the inquiry. If
      // the payment has changed since, another attempt may be in flight, so the response is ignored.
      (hasMoved(payment, current)
        ? undefined
        : (absence(word, current, askedAt) ?? lostInstructions(word, current))),
    ...(typeof word !== 'string' &&
      word.returns && { returned: { reference: word.reference, returns: word.returns } }),
    cause: 'inquiry',
  })
  return { payment: applied.payment, isAnswered: true }
}

/**
 * The provider may still be processing a charge whose response was never received, so within this time an absent order
 * proves nothing. The time counts from the payment's last update to the start of the inquiry, because a slow response
 * describes an earlier moment.
 */
export const ABSENCE_HOLDS_AFTER_MS = 20_000

/**
 * Returns the event for an order that the provider does not have. A payment that the API shows was accepted by the
 * provider, so an absent order does not change it.
 */
function absence(word: ProviderWord, payment: Payment, askedAt: Date): PaymentEvent | undefined {
  if (word !== 'absent' || isShown(payment.status)) return undefined
  if (askedAt.getTime() - payment.updatedAt.getTime() < ABSENCE_HOLDS_AFTER_MS) return undefined
  return { type: 'not_created', reason: 'the provider has no such order' }
}

/**
 * Returns the event for an order whose payment instructions were never received. The provider does not return them
 * again, so the payment fails. Money received later still counts.
 */
function lostInstructions(word: ProviderWord, payment: Payment): PaymentEvent | undefined {
  if (typeof word === 'string' || word.fact.type !== 'pending' || isShown(payment.status)) return undefined
  return {
    type: 'failed',
    reason: 'the provider took the order but its payment instructions were lost; create a new payment',
  }
}
