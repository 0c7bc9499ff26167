import type { Db } from '../db/db.ts'
import type { Logger } from '../logging/log.ts'
import { sendInquiry } from '../payments/inquire/send-inquiry.ts'
import { findPaymentInBatch } from '../payments/payment.sql.ts'
import { asOfAttempt, type Payment, shownStatus } from '../payments/payment.ts'
import type { RecordInBatch } from '../payments/record/event-batch.ts'
import { interpretInquiry } from '../payments/record/interpret-update.ts'
import type { AccountSlots } from '../provider-accounts/account-slots.ts'
import type { InquiryLimits } from '../provider-accounts/inquiry-limits.ts'
import type { LoadAccount, LoadedAccount } from '../provider-accounts/load-account.ts'
import type { ProviderHealth } from '../provider-accounts/provider-health.ts'
import { ProviderError } from '../providers/provider.ts'
import type { Clock } from '../values/time.ts'
import { type Callback, findCallback } from './callback.sql.ts'
import { reserveInquiry } from './callback-inquiries.ts'
import { type FoundPayment, findCallbackPayments } from './find-callback-payments.ts'
import { findPendingInquiry, postponeInquiry, recordInquiry } from './unreadable-callback.sql.ts'

type Deps = {
  db: Db
  clock: Clock
  log: Logger
  accountOf: LoadAccount
  health: ProviderHealth
  recordInBatch: RecordInBatch
  publicUrl: string
}

/**
 * How long failed inquiries about an unreadable callback are retried. The scheduled inquiries about its
 * payments continue after this time.
 */
const RETRIED_FOR_MS = 60 * 60_000

/**
 * Even an unreadable callback can contain the IDs or references of payments. This function sends a status inquiry for
 * each of these payments, and records the results. It throws an error if the queue must retry the job.
 */
export async function inquireUnreadable(
  app: Deps,
  { places, limits }: { places: AccountSlots; limits: InquiryLimits },
  callbackId: string,
): Promise<void> {
  const uninquired = await findPendingInquiry(app.db, callbackId)
  const callback = uninquired && (await findCallback(app.db, callbackId))
  if (!callback) return
  const { providerAccountId } = callback
  const loaded = await app.accountOf(providerAccountId)
  if (!loaded) throw new Error(`there is no provider account ${providerAccountId}`)
  const { reason, candidates } = unreadablePart(loaded, callback)
  const found = candidates.length > 0 ? await paymentsAmong(app, providerAccountId, candidates) : []
  const waitMs = found.length > 0 ? reserveInquiry(loaded, { places, limits, now: app.clock() }) : 0
  if (waitMs > 0) return postponeInquiry(app.db, callbackId, waitMs)
  const inquired: Inquired[] = []
  const isAnswered = () => inquired.length === found.length && inquired.every(each => each.isAnswered)
  try {
    // The status inquiries are sent one after another, because they share one of the provider account's slots
    // for concurrent inquiries.
    for (const each of found) inquired.push(await inquire(app, limits, providerAccountId, each))
  } finally {
    if (found.length > 0) places.release(providerAccountId, isAnswered())
  }
  const { lastReceivedAt } = uninquired
  const isTimeUp = app.clock().getTime() - lastReceivedAt.getTime() >= RETRIED_FOR_MS
  const isDone = isTimeUp || isAnswered()
  await recordInquiry(app.db, {
    callbackId,
    lastReceivedAt,
    inquiredAt: isDone ? app.clock() : null,
    reason: `${reason}; ${inquirySummary(inquired)}`,
    ...onlyPayment(found),
  })
  if (!isDone) throw new ProviderError('unknown', 'the provider did not respond to every status inquiry')
}

/**
 * Returns why a callback is unreadable, and the values in it that may identify a payment. Returns no values
 * if the current version can parse the callback, because the operator can then reprocess it.
 */
function unreadablePart(
  { provider, account }: LoadedAccount,
  callback: Callback,
): { reason: string; candidates: string[] } {
  const reading = provider.readCallback(account, callback)
  if ('unreadable' in reading) return reading.unreadable
  return { reason: 'this version can parse the callback; reprocess it', candidates: [] }
}

/** Finds the charge attempts whose reference or provider ID is among these IDs. Returns each attempt once. */
async function paymentsAmong(
  app: Deps,
  providerAccountId: string,
  candidates: string[],
): Promise<FoundPayment[]> {
  const lookups = candidates.map(each => ({ providerAccountId, reference: each, providerPaymentId: each }))
  const found = await findCallbackPayments(app.db, lookups)
  const all = candidates.flatMap(each => [
    found.byReference(providerAccountId, each) ?? [],
    found.byProviderId(providerAccountId, each) ?? [],
  ])
  return [...new Map(all.flat().map(each => [each.reference, each])).values()]
}

type Inquired = { payment: Payment; reference: string; isAnswered: boolean; providerStatus: string }

async function inquire(
  app: Deps,
  limits: InquiryLimits,
  providerAccountId: string,
  { tenantId, paymentId, reference }: FoundPayment,
): Promise<Inquired> {
  const payment = await findPaymentInBatch(app.db, tenantId, paymentId, null)
  if (!payment) throw new Error(`there is no payment ${paymentId}`)
  const inquired = asOfAttempt(payment, { reference, providerAccountId, providerPaymentId: null })
  const result = await sendInquiry(app, inquired, ms => limits.pause(providerAccountId, ms))
  if (result === 'no answer') return { payment, reference, isAnswered: false, providerStatus: 'no answer' }
  if (typeof result === 'string') return { payment, reference, isAnswered: true, providerStatus: result }
  const here = { now: app.clock(), publicUrl: app.publicUrl }
  const recorded = await app.recordInBatch({
    tenantId,
    paymentId,
    event: current => interpretInquiry(result, inquired, current, here),
    ...(result.returns && { reportedReturns: { reference: result.reference, returns: result.returns } }),
    cause: 'inquiry',
  })
  return { payment: recorded.payment, reference, isAnswered: true, providerStatus: result.fact.type }
}

const MAX_REASON_CHARS = 1_000

function inquirySummary(inquired: Inquired[]): string {
  if (inquired.length === 0) return 'the callback names no payment of this account'
  const each = inquired.map(
    ({ payment, reference, providerStatus: said }) =>
      `${reference} (provider: ${said}; payment: ${shownStatus(payment.status)})`,
  )
  return `inquired about ${each.join(', ')}`.slice(0, MAX_REASON_CHARS)
}

/** Returns the IDs of the payment and its tenant if exactly one payment was found; otherwise, both are null. */
function onlyPayment(found: FoundPayment[]): { tenantId: string | null; paymentId: string | null } {
  const [first, ...others] = found
  const isOne = first !== undefined && others.every(({ paymentId }) => paymentId === first.paymentId)
  return isOne
    ? { tenantId: first.tenantId, paymentId: first.paymentId }
    : { tenantId: null, paymentId: null }
}
