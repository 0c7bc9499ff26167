// Records a batch of callbacks in one transaction: the payment changes and each callback's outcome.

import type { Tx } from '../db/db.ts'
import { isDistributed, useOneConnectionPerNode } from '../db/distributed-database.ts'
import type { Logger } from '../logging/log.ts'
import type { PaymentKey } from '../payments/payment.sql.ts'
import {
  type Payment,
  type PaymentEvent,
  referenceOf,
  type ShownStatus,
  shownStatus,
} from '../payments/payment.ts'
import type { EventToRecord, Recorded } from '../payments/record/event-batch.ts'
import {
  challengedEvent,
  type Interpretation,
  type InterpretationContext,
  interpretCallback,
  interpretInquiry,
  interpretUpdate,
} from '../payments/record/interpret-update.ts'
import { isClosed } from '../payments/record/plan-received-money.ts'
import { type PlannedEvents, planEvents, recordEvents } from '../payments/record/record-event.ts'
import {
  isAboutMoney,
  lockUnmatchedMoney,
  recordUnmatchedMoney,
  type UnmatchedMoney,
} from '../payments/record/record-unmatched-money.ts'
import type { ProviderUpdate } from '../providers/provider.ts'
import type { Clock } from '../values/time.ts'
import { type CallbackOutcome, updateCallbacks } from './callback.sql.ts'
import type {
  CallbackMessage,
  CallbackSource,
  InquiryResponse,
  NeededInquiry,
  ReadCallback,
} from './callback-message.ts'
import { type FoundPayment, findCallbackPayments, type PaymentFinder } from './find-callback-payments.ts'
import { isKnownReversal, lacksPayment } from './outdated-result.ts'
import {
  isOlderThanWonChargeback,
  needsReturnsConfirmed,
  returnsToRecord,
  unconfirmedReason,
} from './returned-money.ts'
import { insertUnreadable } from './unreadable-callback.sql.ts'

type Options = {
  isFinal: boolean
  /**
   * True if the call stores the outcomes, too. Otherwise, the caller must call `storeCallbackOutcomes` after
   * the commit.
   */
  storesOutcomes?: boolean
}

/**
 * The result of applying one update from a callback. `from` is the payment's public status before the update, and
 * `to` is the status after it.
 */
export type UpdateResult = CallbackOutcome & { from: ShownStatus | null; to: ShownStatus | null }

/**
 * The result of processing one callback. `neededInquiries` are the status inquiries that must be sent before the
 * callback can be applied. `isEarly` is true if no payment was found, but the provider's ID for the payment may not be
 * stored yet.
 */
export type CallbackResult = { applied: UpdateResult[]; neededInquiries: NeededInquiry[]; isEarly: boolean }

/**
 * Returns the main result for a callback with several updates: the result of the first applied update or, if no
 * update was applied, of the first update.
 */
export function mainResult(applied: UpdateResult[]): UpdateResult {
  const result = applied.find(({ status }) => status === 'applied') ?? applied[0]
  if (!result) throw new Error('a callback was applied without an outcome')
  return result
}

/**
 * How long a callback without an order reference is retried until its payment is found, in milliseconds. Only the
 * provider's ID identifies this payment, and this ID is stored after the charge or a later status inquiry.
 */
const CREATED_WITHIN_MS = 60_000

/**
 * Records what a batch of callbacks reports. A callback whose payment may still be stored soon is left for a
 * retry, unless `isFinal` is true.
 */
export async function recordCallbacks(
  { clock, publicUrl, log }: { clock: Clock; publicUrl: string; log: Logger },
  tx: Tx,
  batch: ReadCallback[],
  { isFinal, storesOutcomes = true }: Options,
): Promise<CallbackResult[]> {
  const now = clock()
  const here = { now, publicUrl }
  const found = await findPaymentsOf(tx, batch.flat())
  const neededInquiries: NeededInquiry[] = []
  const early = new Set<string>()
  const events: EventToRecord[] = []
  const unclaimed: UnmatchedMoney[] = []
  const outcomes = batch.flat().map(message => {
    const { callback } = message
    if (!('update' in message)) return () => outcome(callback, message.status, message.reason)
    const payment = paymentOf(found, message)
    if (!payment) {
      if (!isFinal && isEarly(message, now)) {
        early.add(callback.id)
        return () => outcome(callback, 'unmatched', null)
      }
      const claim = unmatchedMoneyOf(message)
      if (claim) unclaimed.push(claim)
      return () => unmatched(message, claim !== undefined)
    }
    const { reference, ...key } = payment
    const update = { ...message.update, reference }
    const position = events.length
    events.push({
      ...key,
      event: current => {
        const meaning = interpretMessage(message, update, current, here)
        if (meaning !== 'ask') return meaning
        neededInquiries.push({ message, update, payment: current })
        return undefined
      },
      reportedReturns: current => ({ reference, ...returnsToRecord(message, current) }),
      cause: message.response === undefined ? 'callback' : 'inquiry',
    })
    // The inquiry's result is applied first, because it may end the payment. The claim then gets a record.
    if (lacksConfirmation(message))
      events.push({
        ...key,
        event: current => interpretClaim(message, update, current, here),
        cause: 'inquiry',
      })
    const end = events.length
    return (results: Recorded[]) => resultOf(message, key, shownResult(results.slice(position, end)))
  })
  const tenants = new Set(events.map(({ tenantId }) => tenantId))
  if (isDistributed(tx) && tenants.size + unclaimed.length > 1) await useOneConnectionPerNode(tx)
  if (unclaimed.length > 0) await lockUnmatchedMoney(tx, unclaimed, events)
  const planned = await planByTenant(tx, events, now, log)
  const applied = Map.groupBy(
    outcomes.map(each => each(planned.results)),
    ({ id }) => id,
  )
  const inquiriesOf = Map.groupBy(neededInquiries, ({ message }) => message.callback.id)
  const results = batch.map(([first]) => {
    const id = first?.callback.id ?? ''
    return {
      applied: applied.get(id) ?? [],
      neededInquiries: inquiriesOf.get(id) ?? [],
      isEarly: early.has(id),
    }
  })
  if (storesOutcomes) await storeCallbackOutcomes(tx, batch, results, now)
  await planned.write()
  // Record unmatched money last. An operator may have assigned such money to a payment in this batch, so recording it
  // can change that payment again.
  if (unclaimed.length > 0) await recordUnmatchedMoney(tx, unclaimed, now)
  return results
}

/**
 * Stores the outcome of each callback in a batch. `results` contains the results of applying these
 * callbacks.
 */
export async function storeCallbackOutcomes(
  tx: Tx,
  batch: ReadCallback[],
  results: CallbackResult[],
  at: Date,
): Promise<void> {
  const messages = batch.flat()
  // A callback keeps the status `received` as long as any of its changes needs a status inquiry, even if
  // other changes were already applied.
  const closed = results
    .filter(({ neededInquiries, isEarly }) => neededInquiries.length === 0 && !isEarly)
    .flatMap(({ applied }) => applied)
  const compressed = new Map(messages.map(({ callback }) => [callback.id, callback.compressed]))
  const outcomes = closed.map(each => ({ ...each, compressed: compressed.get(each.id) }))
  if (closed.length > 0) await updateCallbacks(tx, outcomes, at)
  const unreadable = messages.flatMap(each =>
    'status' in each && each.status === 'unreadable' ? { id: each.callback.id, digest: each.digest } : [],
  )
  if (unreadable.length > 0) await insertUnreadable(tx, unreadable)
}

/**
 * Plans how to record the events. On a distributed database, the events are recorded immediately instead, one
 * tenant after another. The order of the tenants is always the same, so that concurrent batches cannot
 * deadlock.
 */
async function planByTenant(tx: Tx, events: EventToRecord[], now: Date, log: Logger): Promise<PlannedEvents> {
  if (events.length > 0 && !isDistributed(tx)) return planEvents(tx, events, now, log)
  const results: Recorded[] = []
  const tenants = Map.groupBy(events.keys(), index => (events[index] as EventToRecord).tenantId)
  for (const [, indexes] of [...tenants].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const ofTenant = indexes.map(index => events[index] as EventToRecord)
    for (const [position, result] of (await recordEvents(tx, ofTenant, now, log)).entries())
      results[indexes[position] as number] = result
  }
  return { results, write: async () => {} }
}

const findPaymentsOf = (tx: Tx, read: ReadCallback): Promise<PaymentFinder> =>
  findCallbackPayments(
    tx,
    read.flatMap(message =>
      'update' in message
        ? {
            providerAccountId: message.callback.providerAccountId,
            reference: message.update.reference,
            providerPaymentId: message.update.reference === null ? message.update.providerPaymentId : null,
            returns: message.update.returns,
          }
        : [],
    ),
  )

function paymentOf(found: PaymentFinder, { callback, update }: CallbackMessage): FoundPayment | undefined {
  const { providerAccountId } = callback
  const named =
    update.reference === null
      ? found.byProviderId(providerAccountId, update.providerPaymentId)
      : found.byReference(providerAccountId, update.reference)
  return named ?? found.byOwnRefund(providerAccountId, update.returns ?? [])
}

const isEarly = ({ callback, update }: CallbackMessage, now: Date): boolean =>
  update.reference === null && now.getTime() - callback.receivedAt.getTime() < CREATED_WITHIN_MS

function interpretMessage(
  message: CallbackMessage,
  update: ProviderUpdate,
  payment: Payment,
  here: InterpretationContext,
): Interpretation {
  const { response, needsConfirmation } = message
  if (isOlderThanWonChargeback(message, payment)) return 'ask'
  if (response === undefined && needsReturnsConfirmed(message, payment)) return 'ask'
  if (needsConfirmation)
    return response === undefined ? 'ask' : interpretConfirmation(response, payment, here)
  if (response === undefined) return interpretCallback(update, payment, here)
  const { result, inquired } = response
  // The inquiry found no status: the provider cannot report it or no longer has the order. A signed callback is then
  // applied as it is, and an unsigned callback changes nothing.
  if (typeof result === 'string') return interpretUpdate(update, payment, here)
  // A signed message about money takes precedence over the inquiry's result, unless this result is `failed`. The reason
  // is that the result can be outdated or lack the receipt ID, which identifies the received money.
  if (update.fact.type === 'paid' && result.fact.type !== 'failed')
    return interpretUpdate(update, payment, here)
  return interpretInquiry(result, inquired, payment, here)
}

/**
 * Returns the event for the result of a status inquiry about a message that needs confirmation. Only this result can
 * credit money. If it shows no payment, `interpretClaim` returns the event for the money in the message.
 */
function interpretConfirmation(
  { result, inquired }: InquiryResponse,
  payment: Payment,
  here: InterpretationContext,
): Interpretation {
  if (typeof result === 'string' || result.fact.type === 'pending') return undefined
  return interpretInquiry(result, inquired, payment, here)
}

/** Returns whether the message needed confirmation and the status inquiry shows no payment. */
const lacksConfirmation = ({ needsConfirmation, response }: CallbackMessage): boolean =>
  needsConfirmation && response !== undefined && lacksPayment(response.result)

/**
 * Returns the event for an unconfirmed message. Its money is only a claim, which the operator must check. Returns no
 * event if a scheduled status inquiry will find the money. For this, the payment must be open, inquiries must report
 * its status, and the money must be for the latest charge attempt.
 */
function interpretClaim(
  message: CallbackMessage,
  update: ProviderUpdate,
  payment: Payment,
  here: InterpretationContext,
): PaymentEvent | undefined {
  const { fact } = update
  const result = message.response?.result
  if (fact.type !== 'paid' || result === undefined || isOlderThanWonChargeback(message, payment))
    return undefined
  const isFoundLater = !isClosed(payment) && update.reference === referenceOf(payment)
  if (isFoundLater && result !== 'not_reported') return undefined
  if (isKnownReversal(result, fact, payment)) return undefined
  const { type: _, ...claim } = fact
  const reason = 'a callback reports payment, and the provider could not confirm it'
  return challengedEvent(update, { reason, claim }, here.now)
}

/**
 * Returns what a message reports if no payment matches the message. Money for an unknown reference is recorded without
 * confirmation, because it always waits for the operator.
 */
function factIfUnmatched(fact: ProviderUpdate['fact']): ProviderUpdate['fact'] {
  if (fact.type === 'challenged' && fact.claim) return { type: 'paid', ...fact.claim }
  return (fact.type === 'unproven' && fact.ifUnmatched) || fact
}

/**
 * For a message that matches no payment, returns the money that the message reports, or undefined if it reports no
 * money.
 */
function unmatchedMoneyOf(message: CallbackMessage): UnmatchedMoney | undefined {
  const { callback, provider, mode, update: received } = message
  const update = { ...received, fact: factIfUnmatched(received.fact) }
  if (!isAboutMoney(update)) return undefined
  const { fact, reference, providerPaymentId } = update
  const { providerAccountId } = callback
  if (reference !== null) return { provider, providerAccountId, mode, update: { ...update, reference } }
  // The message has no order reference, so only the provider's payment ID identifies the money that the
  // message reports.
  const identified = fact.type === 'paid' ? { ...fact, receipt: fact.receipt || providerPaymentId } : fact
  const returns = (update.returns ?? []).map(each => ({ ...each, id: each.id ?? providerPaymentId }))
  return {
    provider,
    providerAccountId,
    mode,
    update: { ...update, reference: '', returns, fact: identified },
  }
}

function unmatched({ callback, update }: CallbackMessage, isMoneyKept: boolean): UpdateResult {
  const { reference, providerPaymentId } = update
  const sought =
    reference === null ? `provider's id ${providerPaymentId || '(none)'}` : `reference ${reference}`
  const reason = `no payment of this account has the ${sought}`
  return outcome(callback, 'unmatched', isMoneyKept ? `${reason}; its money waits for the Owner` : reason)
}

/**
 * Returns the result that the callback log shows for the events of one message: the result of the claim, unless there
 * is none or the status inquiry's result has changed the payment.
 */
function shownResult(results: Recorded[]): Recorded {
  const [recorded, claim] = results as [Recorded, Recorded?]
  return claim === undefined || claim.kind === 'ignored' || recorded.kind === 'changed' ? recorded : claim
}

function resultOf(message: CallbackMessage, key: PaymentKey, recorded: Recorded): UpdateResult {
  const to = shownStatus(recorded.payment.status)
  return {
    ...recordedOutcome(message, recorded),
    ...key,
    from: recorded.kind === 'changed' ? shownStatus(recorded.from) : to,
    to,
  }
}

function recordedOutcome(message: CallbackMessage, recorded: Recorded): UpdateResult {
  const { callback } = message
  const unconfirmed = unconfirmedReason(message, recorded.payment)
  if (unconfirmed !== undefined && (recorded.kind === 'ignored' || recorded.kind === 'unchanged'))
    return outcome(callback, 'refused', unconfirmed)
  switch (recorded.kind) {
    case 'ignored':
      return outcome(callback, 'ignored', ignoredReason(message))
    case 'changed':
      return outcome(callback, 'applied', null)
    case 'unchanged':
      return outcome(callback, 'repeated', null)
    case 'set_aside':
      return outcome(callback, 'refused', recorded.reason)
    case 'refused':
      return outcome(callback, 'refused', recorded.reason)
  }
}

function ignoredReason({ update, response, needsConfirmation }: CallbackMessage): string {
  const result = response?.result
  if (needsConfirmation && result === 'absent') return 'status inquiry: the provider has no such payment'
  const { fact } = result !== undefined && typeof result !== 'string' ? result : update
  const reason = 'reason' in fact ? fact.reason : `a report of ${fact.type} changes nothing`
  return response === undefined ? reason : `status inquiry: ${reason}`
}

const outcome = (
  callback: CallbackSource,
  status: CallbackOutcome['status'],
  reason: string | null,
): UpdateResult => ({
  id: callback.id,
  status,
  reason,
  tenantId: null,
  paymentId: null,
  from: null,
  to: null,
})
