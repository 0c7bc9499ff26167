// Sends a status inquiry to the provider and records the result. Inquiries determine the outcome of
// interrupted charges and find paid payments whose callback was lost.

import type { Logger } from '../../logging/log.ts'
import type { LoadAccount } from '../../provider-accounts/load-account.ts'
import type { ProviderHealth } from '../../provider-accounts/provider-health.ts'
import type { InquiryResult, ProviderInquiryLimits } from '../../providers/provider.ts'
import type { Clock } from '../../values/time.ts'
import { hasTransitioned, isShown, type Payment, type PaymentEvent } from '../payment.ts'
import type { RecordInBatch } from '../record/event-batch.ts'
import { interpretInquiry } from '../record/interpret-update.ts'
import { type OnRateLimit, sendInquiry } from './send-inquiry.ts'

type Deps = {
  accountOf: LoadAccount
  health: ProviderHealth
  recordInBatch: RecordInBatch
  clock: Clock
  log: Logger
  publicUrl: string
}

/**
 * Sends a status inquiry and returns the updated payment. If the provider does not respond, the payment is returned
 * unchanged.
 */
export const inquireAndRecord = async (app: Deps, payment: Payment): Promise<Payment> =>
  (await inquireAndRecordResult(app, payment)).payment

/**
 * Sends a status inquiry and returns the updated payment. `isAnswered` is true if the provider responded, even if the
 * response does not show the status.
 */
export async function inquireAndRecordResult(
  app: Deps,
  payment: Payment,
  onRateLimit?: OnRateLimit,
): Promise<{ payment: Payment; isAnswered: boolean }> {
  const { payment: refreshed, result } = await inquireAndReport(app, payment, onRateLimit)
  return { payment: refreshed, isAnswered: result !== 'no answer' }
}

/** Sends a status inquiry, records its result, and returns the updated payment and the result. */
export async function inquireAndReport(
  app: Deps,
  payment: Payment,
  onRateLimit?: OnRateLimit,
): Promise<{ payment: Payment; result: InquiryResult | 'no answer' }> {
  const inquiredAt = app.clock()
  const result = await sendInquiry(app, payment, onRateLimit)
  if (result === 'no answer' || result === 'not_reported') return { payment, result }
  const here = { now: app.clock(), publicUrl: app.publicUrl }
  const { provider } = (await app.accountOf(payment.providerAccountId)) ?? {}
  const countsAfterMs = absenceCountsAfterMs(provider?.inquiryLimits)
  const applied = await app.recordInBatch({
    tenantId: payment.tenantId,
    paymentId: payment.id,
    event: current =>
      (result === 'absent' ? undefined : interpretInquiry(result, payment, current, here)) ??
      // An inquiry that finds no order or no payment instructions can be outdated when its result is recorded. If the
      // payment has changed since the inquiry, another charge may be in flight, so the result is ignored.
      (hasTransitioned(payment, current)
        ? undefined
        : (absentOrderEvent(result, current, { inquiredAt, countsAfterMs }) ??
          lostInstructionsEvent(result, current))),
    ...(typeof result !== 'string' &&
      result.returns && { reportedReturns: { reference: result.reference, returns: result.returns } }),
    cause: 'inquiry',
  })
  return { payment: applied.payment, result }
}

/**
 * If a status inquiry is sent within this time after a charge, a response that the order does not exist is ignored. The
 * provider may still be processing the charge. The time of the response does not count: a slow response describes the
 * state at the time of the inquiry.
 */
export const ABSENCE_COUNTS_AFTER_MS = 20_000

/**
 * Returns how many milliseconds must have passed since a charge before the response that the order does not exist
 * counts as proof. Until then, the provider may not know the new order yet.
 */
export const absenceCountsAfterMs = (limits: ProviderInquiryLimits | undefined): number =>
  Math.max(ABSENCE_COUNTS_AFTER_MS, (limits?.earliestSeconds ?? 0) * 1_000)

/**
 * Returns the event for a payment whose order does not exist at the provider, or undefined if the payment does not
 * change. A payment that is visible in the API does not change, because the provider has accepted its order.
 */
function absentOrderEvent(
  result: InquiryResult,
  payment: Payment,
  { inquiredAt, countsAfterMs }: { inquiredAt: Date; countsAfterMs: number },
): PaymentEvent | undefined {
  if (result !== 'absent' || isShown(payment.status)) return undefined
  if (inquiredAt.getTime() - payment.updatedAt.getTime() < countsAfterMs) return undefined
  return { type: 'not_created', reason: 'the provider has no such order' }
}

/**
 * Returns the event that fails a payment whose payment instructions were lost with the charge response. The provider
 * does not return the instructions again. If the payer still pays, the payment becomes paid.
 */
function lostInstructionsEvent(result: InquiryResult, payment: Payment): PaymentEvent | undefined {
  if (typeof result === 'string' || result.fact.type !== 'pending' || isShown(payment.status))
    return undefined
  return {
    type: 'failed',
    reason: 'the provider accepted the order, but its payment instructions were lost; create a new payment',
  }
}
