// Records what a batch of callbacks reports, in one transaction.

import type { Tx } from '../db/db.ts'
import type { Logger } from '../logging/log.ts'
import type { PaymentKey } from '../payments/payment.sql.ts'
import { type Payment, type ShownStatus, shownStatus } from '../payments/payment.ts'
import type { EventToRecord, Recorded } from '../payments/record/event-batch.ts'
import {
  type Here,
  type Meaning,
  meaningOfAnswer,
  meaningOfCallback,
  meaningOfReport,
} from '../payments/record/interpret-update.ts'
import { recordEvents } from '../payments/record/record-event.ts'
import { isAboutMoney, recordUnclaimed, type Unclaimed } from '../payments/record/record-unmatched-money.ts'
import type { MoneyReturn, ProviderReport } from '../providers/provider.ts'
import type { Clock } from '../values/time.ts'
import { type CallbackOutcome, updateCallbacks } from './callback.sql.ts'
import type { Answer, Message, Question, Read, Source } from './callback-message.ts'
import { type FoundPayment, findPayments, type PaymentFinder } from './find-callback-payments.ts'
import { keepUnreadable } from './unreadable-callback.sql.ts'

/**
 * The result of one report of a callback. `from` and `to` are the payment's statuses before and after, as the API shows
 * them.
 */
export type AppliedReport = CallbackOutcome & { from: ShownStatus | null; to: ShownStatus | null }

/**
 * The result of settling one callback. `questions` are the inquiries that are needed first. `isEarly` means that the
 * callback's payment may have been created just now, so that its provider id is not stored yet.
 */
export type Settled = { applied: AppliedReport[]; questions: Question[]; isEarly: boolean }

/**
 * Returns the result to show for a callback that reports on several orders. A report that was applied takes precedence.
 */
export function chief(applied: AppliedReport[]): AppliedReport {
  const told = applied.find(({ status }) => status === 'applied') ?? applied[0]
  if (!told) throw new Error('a callback was applied without an outcome')
  return told
}

/**
 * For this long after a callback without our reference, its payment may not have the provider's id yet. The time allows
 * for a charge and for the inquiries after an unknown outcome.
 */
const CREATED_WITHIN_MS = 60_000

/**
 * Records what a batch of callbacks reports. If `isFinal` is false, a callback whose payment may not have its provider
 * id yet is left for a retry.
 */
export async function applyTogether(
  { clock, publicUrl, log }: { clock: Clock; publicUrl: string; log: Logger },
  tx: Tx,
  batch: Read[],
  { isFinal }: { isFinal: boolean },
): Promise<Settled[]> {
  const now = clock()
  const here = { now, publicUrl }
  const found = await finderFor(tx, batch.flat())
  const questions: Question[] = []
  const early = new Set<string>()
  const reports: EventToRecord[] = []
  const unclaimed: Unclaimed[] = []
  const outcomes = batch.flat().map(message => {
    const { callback } = message
    if (!('report' in message)) return () => outcome(callback, message.status, message.reason)
    const payment = paymentOf(found, message)
    if (!payment) {
      if (!isFinal && isEarly(message, now)) {
        early.add(callback.id)
        return () => outcome(callback, 'unmatched', null)
      }
      const claim = unclaimedOf(message)
      if (claim) unclaimed.push(claim)
      return () => unmatched(message, claim !== undefined)
    }
    const { reference, ...key } = payment
    const report = { ...message.report, reference }
    const position = reports.length
    reports.push({
      ...key,
      event: current => {
        const meaning = meaningOf(message, report, current, here)
        if (meaning !== 'ask') return meaning
        questions.push({ message, report, payment: current })
        return undefined
      },
      returned: { reference, returns: returnsOf(message) },
      cause: message.answer === undefined ? 'callback' : 'inquiry',
    })
    return (results: Recorded[]) => appliedReport(message, key, results[position] as Recorded)
  })
  const results = reports.length > 0 ? await recordEvents(tx, reports, now, log) : []
  if (unclaimed.length > 0) await recordUnclaimed(tx, unclaimed, now)

  const applied = outcomes.map(each => each(results))
  const open = new Set([...questions.map(({ message }) => message.callback.id), ...early])
  // A callback with an open question keeps its status, even if some of the callback's reports were settled.
  const closed = applied.filter(({ id }) => !open.has(id))
  await updateCallbacks(tx, closed, now)
  const unreadable = closed.filter(({ status }) => status === 'unreadable').map(({ id }) => id)
  if (unreadable.length > 0) await keepUnreadable(tx, unreadable)
  return batch.map(read => {
    const ids = new Set(read.map(({ callback }) => callback.id))
    return {
      applied: applied.filter(({ id }) => ids.has(id)),
      questions: questions.filter(({ message }) => ids.has(message.callback.id)),
      isEarly: [...ids].some(id => early.has(id)),
    }
  })
}

const finderFor = (tx: Tx, read: Read): Promise<PaymentFinder> =>
  findPayments(
    tx,
    read.flatMap(message =>
      'report' in message
        ? {
            providerAccountId: message.callback.providerAccountId,
            reference: message.report.reference,
            providerPaymentId: message.report.reference === null ? message.report.providerPaymentId : null,
          }
        : [],
    ),
  )

function paymentOf(found: PaymentFinder, { callback, report }: Message): FoundPayment | undefined {
  const { providerAccountId } = callback
  return report.reference === null
    ? found.byProviderId(providerAccountId, report.providerPaymentId)
    : found.byReference(providerAccountId, report.reference)
}

const isEarly = ({ callback, report }: Message, now: Date): boolean =>
  report.reference === null && now.getTime() - callback.receivedAt.getTime() < CREATED_WITHIN_MS

function meaningOf(message: Message, report: ProviderReport, payment: Payment, here: Here): Meaning {
  const { answer, needsConfirmation } = message
  if (needsConfirmation) return answer === undefined ? 'ask' : meaningOfConfirmation(answer, payment, here)
  if (answer === undefined) return meaningOfCallback(report, payment, here)
  const { word, asked } = answer
  // The provider cannot report the status, or it no longer knows the order about which it signed the message. So only
  // the message itself counts; an unproven message changes nothing.
  if (typeof word === 'string') return meaningOfReport(report, payment, here)
  // Only a failure in the inquiry's response contradicts a signed report of payment. Any other response may be outdated
  // or lack the receipt.
  if (report.fact.type === 'paid' && word.fact.type !== 'failed')
    return meaningOfReport(report, payment, here)
  return meaningOfAnswer(word, asked, payment, here)
}

/**
 * Returns the event for a message that proves nothing by itself. Only the provider's response to the inquiry counts,
 * including its amount.
 */
function meaningOfConfirmation({ word, asked }: Answer, payment: Payment, here: Here): Meaning {
  if (word === 'absent') return undefined
  if (word === 'untold')
    return { type: 'challenged', reason: 'a callback reports payment, and the provider could not confirm it' }
  return word.fact.type === 'pending' ? undefined : meaningOfAnswer(word, asked, payment, here)
}

/**
 * Returns the refunds and chargebacks of the message and of the provider's response, which may know more about the same
 * ones.
 */
const returnsOf = ({ report, answer }: Message): MoneyReturn[] => [
  ...(report.returns ?? []),
  ...(answer !== undefined && typeof answer.word !== 'string' ? (answer.word.returns ?? []) : []),
]

/** Returns the money that the message reports for no known payment, or undefined if the message is not about money. */
function unclaimedOf({ callback, provider, mode, report }: Message): Unclaimed | undefined {
  if (!isAboutMoney(report)) return undefined
  const { fact, reference, providerPaymentId } = report
  const { providerAccountId } = callback
  if (reference !== null) return { provider, providerAccountId, mode, report: { ...report, reference } }
  // If the message lacks our reference, only the provider's id distinguishes this money from other money.
  const identified = fact.type === 'paid' ? { ...fact, receipt: fact.receipt || providerPaymentId } : fact
  const returns = (report.returns ?? []).map(each => ({ ...each, id: each.id ?? providerPaymentId }))
  return {
    provider,
    providerAccountId,
    mode,
    report: { ...report, reference: '', returns, fact: identified },
  }
}

function unmatched({ callback, report }: Message, isMoneyKept: boolean): AppliedReport {
  const { reference, providerPaymentId } = report
  const sought =
    reference === null ? `provider's id ${providerPaymentId || '(none)'}` : `reference ${reference}`
  const reason = `no payment of this account has the ${sought}`
  return outcome(callback, 'unmatched', isMoneyKept ? `${reason}; its money waits for the Owner` : reason)
}

function appliedReport(message: Message, key: PaymentKey, recorded: Recorded): AppliedReport {
  const to = shownStatus(recorded.payment.status)
  return {
    ...told(message, recorded),
    ...key,
    from: recorded.kind === 'changed' ? shownStatus(recorded.from) : to,
    to,
  }
}

function told(message: Message, recorded: Recorded): AppliedReport {
  const { callback } = message
  switch (recorded.kind) {
    case 'ignored':
      return outcome(callback, 'ignored', reasonOfNothing(message))
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

function reasonOfNothing({ report, answer, needsConfirmation }: Message): string {
  const word = answer?.word
  if (needsConfirmation && word === 'absent') return 'status inquiry: it has no such payment'
  const { fact } = word !== undefined && typeof word !== 'string' ? word : report
  const reason = 'reason' in fact ? fact.reason : `a report of ${fact.type} changes nothing`
  return answer === undefined ? reason : `status inquiry: ${reason}`
}

const outcome = (
  callback: Source,
  status: CallbackOutcome['status'],
  reason: string | null,
): AppliedReport => ({
  id: callback.id,
  status,
  reason,
  tenantId: null,
  paymentId: null,
  from: null,
  to: null,
})
