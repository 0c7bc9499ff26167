// Finds the differences between a payment, its ledger entries and the provider's data. Each difference is reported
// once, for the two sources in which the difference is easiest to investigate. Amounts are in cents.

import type { Status } from '../payments/payment.ts'
import type { InquiryResult, MoneyReturn } from '../providers/provider.ts'
import type { Cents } from '../values/money.ts'

export const differenceKinds = ['missing_here', 'missing_there', 'amount', 'status', 'duplicate'] as const
export type DifferenceKind = (typeof differenceKinds)[number]

/**
 * The pairs of records that a reconciliation compares. Difference kinds such as `missing_here` call the first record
 * `here` and the second one `there`.
 */
export const pairs = ['payments_ledger', 'payments_provider', 'ledger_provider'] as const
export type Pair = (typeof pairs)[number]

export type Finding = { kind: DifferenceKind; between: Pair; detail: string }

/** A payment with the totals of its ledger entries and of its records of unexpected money. */
export type PaymentRecords = {
  status: Status
  /** The amount paid. Null if the payment is not paid. */
  amountPaid: Cents | null
  /** Whether the payment was paid on the day that is reconciled. If so, this day's settlement should contain it. */
  isPaidThatDay: boolean
  /** The number and the total amount of the credits that made the payment paid. There should be exactly one. */
  credits: bigint
  credited: Cents
  /** The total of the credits for additional money. The credit that made the payment paid is not included. */
  creditedBesides: Cents
  /** The total of the payment's debits up to the end of the day. */
  debited: Cents
  /**
   * The totals of the open records of unexpected money. `waiting` is received money that is not credited. `held` is
   * returned money that is not debited.
   */
  waiting: Cents
  held: Cents
  /**
   * The totals of the operator's refunds of money that was never credited: all of them, and those that the provider
   * returns. The provider received this money, but the ledger has no entries for it.
   */
  refundedUncredited: Cents
  returnedUncredited: Cents
}

/** The totals of a payment's settlement lines: how often and how much was paid, and how much was returned. */
export type SettledLines = {
  paidTimes: bigint
  paid: Cents
  returned: Cents
}

export type ProviderData =
  /**
   * The provider's data from settlements. `settlesDay` means that the account's settlement of the day was uploaded, so
   * a payment without a line was not settled that day.
   */
  | { source: 'settlement'; lines: SettledLines; settlesDay: boolean }
  | { source: 'inquiry'; status: Exclude<InquiryResult, 'not_reported'> }

/**
 * Returns the differences of a payment. Also returns differences that an open record of unexpected money explains, and
 * mentions the record in their detail.
 */
export function findDifferences(position: PaymentRecords, data: ProviderData | undefined): Finding[] {
  const withUncredited = {
    ...position,
    creditedBesides: position.creditedBesides + position.refundedUncredited,
    debited: position.debited + position.returnedUncredited,
  }
  return explained(withUncredited, data)
}

function explained(position: PaymentRecords, data: ProviderData | undefined): Finding[] {
  const found = differencesOf(position, data)
  const { waiting, held, creditedBesides, debited } = position
  if (found.length === 0 || (waiting === 0n && held === 0n)) return found
  const decided = { ...position, creditedBesides: creditedBesides + waiting, debited: debited + held }
  const left = differencesOf(decided, data).map(({ kind, between }) => `${between} ${kind}`)
  return found.map(each =>
    left.includes(`${each.between} ${each.kind}`)
      ? each
      : { ...each, detail: `${each.detail}; an open record of unexpected money explains this difference` },
  )
}

function differencesOf(position: PaymentRecords, data: ProviderData | undefined): Finding[] {
  const found = [...againstLedger(position)]
  if (data?.source === 'settlement') found.push(...againstSettlement(position, data))
  if (data?.source === 'inquiry') found.push(...againstInquiry(position, data.status))
  return found
}

const finding = (kind: DifferenceKind, between: Pair, detail: string): Finding[] => [
  { kind, between, detail },
]

function againstLedger({ amountPaid, credits, credited }: PaymentRecords): Finding[] {
  const books = 'payments_ledger'
  if (credits > 1n) return finding('duplicate', books, 'the ledger credits the payment more than once')
  if (amountPaid === null)
    return credits === 0n
      ? []
      : finding('missing_here', books, 'the ledger credits the payment, but the payment is not paid')
  if (credits === 0n)
    return finding('missing_there', books, 'the payment is paid, but the ledger has no credit for it')
  return credited === amountPaid
    ? []
    : finding('amount', books, 'the credited amount differs from the paid amount')
}

function againstSettlement(
  position: PaymentRecords,
  { lines, settlesDay }: Extract<ProviderData, { source: 'settlement' }>,
): Finding[] {
  const { amountPaid, creditedBesides, debited, isPaidThatDay } = position
  const isGone = amountPaid !== null && debited >= amountPaid + creditedBesides
  // A settlement may omit money that was received and returned on one day.
  if (isGone && isPaidThatDay && lines.paidTimes === 0n && lines.returned === 0n) return []
  return [...againstPaidLines(position, lines, settlesDay), ...againstReturned(position, lines, settlesDay)]
}

function againstPaidLines(
  { status, amountPaid, creditedBesides, isPaidThatDay }: PaymentRecords,
  { paidTimes, paid, returned }: SettledLines,
  settlesDay: boolean,
): Finding[] {
  const provider = 'payments_provider'
  if (amountPaid === null) {
    if (paid > returned && paid !== creditedBesides)
      return finding(
        'missing_here',
        provider,
        `the provider settled the payment, but its status here is ${status}`,
      )
    return returned > 0n
      ? finding(
          'status',
          provider,
          `the provider received and returned money, but the status here is ${status}`,
        )
      : []
  }
  if (paidTimes === 0n) {
    // If the settlement has no line for a payment but has a line for its return, the return implies that the payment
    // was paid.
    return settlesDay && isPaidThatDay && returned === 0n
      ? finding('missing_there', provider, 'the payment is paid here, but no settlement contains it')
      : []
  }
  // The amount that the provider settled includes additional money that was credited.
  if (paid === amountPaid + creditedBesides) return []
  if (paidTimes > 1n)
    return finding('duplicate', provider, 'the provider settled the payment more often than it was credited')
  if (paid === amountPaid)
    return finding('duplicate', 'ledger_provider', 'the ledger credits more than the provider settled')
  return finding('amount', provider, 'the settled amount differs from the paid amount')
}

/**
 * Compares the returned amounts. A return may be in a later settlement than the ledger's debit. A difference is
 * therefore reported only if the day's settlement was uploaded.
 */
function againstReturned(
  { amountPaid, debited }: PaymentRecords,
  { returned }: SettledLines,
  settlesDay: boolean,
): Finding[] {
  if (amountPaid === null || !settlesDay || returned === debited) return []
  const between = 'ledger_provider'
  if (debited === 0n)
    return finding('status', between, 'the provider returned money, but the ledger has no debit')
  if (returned === 0n)
    return finding('status', between, 'the ledger has a debit, but the provider returned no money')
  return finding('amount', between, 'the returned amount differs from the debited amount')
}

const closed: readonly string[] = ['failed', 'expired', 'cancelled']
/**
 * The statuses of payments that were never shown to a payer. For such payments, a difference is reported only if money
 * was received.
 */
const unshown: readonly string[] = ['charging', 'unknown', 'uncharged', 'rejected']

function againstInquiry(position: PaymentRecords, report: Exclude<InquiryResult, 'not_reported'>): Finding[] {
  const { status, amountPaid, creditedBesides, debited } = position
  const provider = 'payments_provider'
  const said = report === 'absent' ? 'absent' : report.fact.type
  if (report !== 'absent' && report.fact.type === 'paid') {
    if (amountPaid === null)
      return report.fact.amountPaid === creditedBesides
        ? []
        : finding('missing_here', provider, `the provider reports paid, but the status here is ${status}`)
    const returns = againstReturns(position, report.returns)
    if (returns) return returns
    if (debited >= amountPaid)
      return finding(
        'status',
        'ledger_provider',
        'the ledger debited the payment, but the provider reports paid',
      )
    return [amountPaid, amountPaid + creditedBesides].includes(report.fact.amountPaid)
      ? []
      : finding('amount', provider, 'the provider reports another amount')
  }
  // After a refund, a provider may report no status or an unpaid status for the payment. Either result agrees with a
  // debit in the ledger.
  const isTakenBack = amountPaid !== null && (said === 'nothing' ? debited > 0n : debited >= amountPaid)
  if (isTakenBack) return []
  if (said === 'nothing' || said === 'challenged')
    return said === status || unshown.includes(status)
      ? []
      : finding('status', provider, `the status here is ${status}; the provider reports: ${reasonOf(report)}`)
  if (amountPaid !== null)
    return finding('missing_there', provider, `the payment is paid here, but the provider reports ${said}`)
  if (unshown.includes(status)) return []
  // All closed statuses mean that no money was received. The service does not notify the provider of a payment's
  // status, so the provider may still report `pending`.
  const isOverHere = closed.includes(status) && [...closed, 'absent', 'pending'].includes(said)
  return said === status || isOverHere
    ? []
    : finding('status', provider, `the status here is ${status}, but the provider reports ${said}`)
}

/**
 * Compares the provider's list of returns with the ledger's debits. Returns undefined if the provider lists no returns.
 * The ledger may have debited more, because the operator also refunds money outside of the provider.
 */
function againstReturns(
  { debited }: PaymentRecords,
  returns: readonly MoneyReturn[] = [],
): Finding[] | undefined {
  const gone = returns.filter(({ status }) => status !== 'failed')
  if (gone.length === 0) return undefined
  const between = 'ledger_provider'
  if (debited === 0n)
    return finding('status', between, 'the provider returned money, but the ledger has no debit')
  const returned = gone.reduce((sum, { amount }) => sum + (amount ?? 0n), 0n)
  return returned > debited
    ? finding('amount', between, 'the returned amount differs from the debited amount')
    : []
}

const reasonOf = (report: Exclude<InquiryResult, 'not_reported'>): string =>
  report !== 'absent' && 'reason' in report.fact ? report.fact.reason : 'absent'
