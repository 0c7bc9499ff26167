// Inquiries that callbacks cause. A callback that proves nothing by itself costs an inquiry, and anybody who recorded one
// can replay it thousands of times. So this process asks about one payment once at a time and with growing pauses.
// Callbacks that were received before an inquiry started share its answer.

import type { App } from '../app.ts'
import { askAbout, type OnRateLimit } from '../payments/ask-provider.ts'
import { asOfTry, hasMoved, type Payment } from '../payments/payment.ts'
import type { InquiryLimits } from '../provider-accounts/inquiry-limits.ts'
import type { LoadedAccount } from '../provider-accounts/load-account.ts'
import type { Places } from '../provider-accounts/places.ts'
import type { Answer, Question } from './message.ts'

type Deps = Pick<App, 'accountOf' | 'clock' | 'health' | 'log'>
type Result = Answer | 'no answer'

/** Each further inquiry about the payment doubles it. */
const FIRST_PAUSE_MS = 2_000
const LONGEST_PAUSE_MS = 5 * 60_000
/** The pause starts again at its shortest. */
const FORGOTTEN_AFTER_MS = 10 * 60_000
/** Payments; the oldest is forgotten first. */
const REMEMBERED = 10_000
/** Another process may have received the callback, and its clock may differ. */
const CLOCK_SKEW_MS = 2_000
/** While an inquiry about the same payment is in flight, or the account has no place or inquiry free. */
const ASKED_LATER_MS = 2_000

type Inquiry = {
  startedAtMs: number
  pauseMs: number
  asked: Payment
  /** Undefined while the inquiry is in flight. */
  result?: Result
}

export type CallbackInquiries = {
  /** Whether an earlier inquiry answers the question. */
  isAnswered(question: Question): boolean
  /** How long an unanswered question has to wait; 0 if the provider may be asked now. */
  waitMs(question: Question): number
  /** Returns the shared answer if there is one, and asks the provider otherwise. */
  ask(question: Question, onRateLimit: OnRateLimit): Promise<Result>
}

export function callbackInquiries(app: Deps): CallbackInquiries {
  const inquiries = new Map<string, Inquiry>()

  function sharedResult(question: Question): Result | undefined {
    const last = inquiries.get(keyOf(question))
    if (!last?.result || pauseLeft(last) === 0) return undefined
    if (last.result === 'no answer') return 'no answer'
    const receivedAtMs = question.message.callback.receivedAt.getTime()
    const isOlder = receivedAtMs + CLOCK_SKEW_MS <= last.startedAtMs
    const isSame = last.asked.providerPaymentId === askedAbout(question).providerPaymentId
    // The answer must not be applied to a payment that has changed since the inquiry: it could reverse a newer credit.
    return isOlder && isSame && !hasMoved(last.asked, question.payment) ? last.result : undefined
  }

  function pauseLeft({ startedAtMs, pauseMs }: Inquiry): number {
    return Math.max(0, startedAtMs + pauseMs - app.clock().getTime())
  }

  function start(question: Question): Inquiry {
    const key = keyOf(question)
    const startedAtMs = app.clock().getTime()
    const last = inquiries.get(key)
    const isRecent = last !== undefined && startedAtMs - last.startedAtMs < FORGOTTEN_AFTER_MS
    const pauseMs = isRecent ? Math.min(last.pauseMs * 2, LONGEST_PAUSE_MS) : FIRST_PAUSE_MS
    const inquiry: Inquiry = { startedAtMs, pauseMs, asked: askedAbout(question) }
    inquiries.delete(key)
    inquiries.set(key, inquiry)
    const [oldest] = inquiries.keys()
    if (inquiries.size > REMEMBERED && oldest !== undefined) inquiries.delete(oldest)
    return inquiry
  }

  return {
    isAnswered: question => sharedResult(question) !== undefined,
    waitMs(question) {
      const last = inquiries.get(keyOf(question))
      if (!last) return 0
      return last.result === undefined ? ASKED_LATER_MS : pauseLeft(last)
    },
    async ask(question, onRateLimit) {
      const shared = sharedResult(question)
      if (shared) return shared
      const inquiry = start(question)
      inquiry.result = await inquireAbout(app, question, onRateLimit).catch(error => {
        inquiry.result = 'no answer'
        throw error
      })
      return inquiry.result
    },
  }
}

/** The reference, since each try of a payment is an order of its own. */
const keyOf = ({ payment, report }: Question): string => `${payment.id} ${report.reference}`

const askedAbout = ({ message, report, payment }: Question): Payment =>
  asOfTry(payment, {
    reference: report.reference,
    providerAccountId: message.callback.providerAccountId,
    providerPaymentId: report.providerPaymentId,
  })

export async function inquireAbout(
  app: Deps,
  question: Question,
  onRateLimit?: OnRateLimit,
): Promise<Result> {
  const asked = askedAbout(question)
  const word = await askAbout(app, asked, onRateLimit)
  return word === 'no answer' ? word : { word, asked }
}

/**
 * Takes a place and an inquiry of the account. Returns how many milliseconds to wait before the next attempt; 0 if the
 * provider may be asked now, and the caller then has to free the place.
 */
export function reserveInquiry(
  { account, provider }: LoadedAccount,
  { places, limits, now }: { places: Places; limits: InquiryLimits; now: Date },
): number {
  const pausedUntil = limits.pausedUntil(account.id)
  if (pausedUntil) return pausedUntil.getTime() - now.getTime()
  if (!places.take(account.id)) return ASKED_LATER_MS
  if (limits.take(account, provider.inquiries, 'callbacks')) return 0
  places.free(account.id, undefined)
  return ASKED_LATER_MS
}
