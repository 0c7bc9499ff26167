// Finds the differences between a payment, its ledger entries and the provider's data. If a difference appears between
// more than two of these sources, it is reported only once, for the two sources that make it easiest to investigate.
// Amounts are in cents.

import type { Status } from '../payments/payment.ts'
import type { InquiryResult, MoneyReturn } from '../providers/provider.ts'
import type { Cents } from '../values/money.ts'
import { type DetailText, type DetailValues, detailIn, EXPLAINED } from './difference-detail.ts'

export const differenceKinds = ['missing_here', 'missing_there', 'amount', 'status', 'duplicate'] as const
export type DifferenceKind = (typeof differenceKinds)[number]

/**
 * The pairs of records that a reconciliation compares. In a difference such as `missing_here`, `here` is the pair's
 * first record and `there` is the second.
 */
export const pairs = ['payments_ledger', 'payments_provider', 'ledger_provider'] as const
export type Pair = (typeof pairs)[number]

export type Finding = { kind: DifferenceKind; between: Pair; detail: string }

/**
 * A payment with the totals of its ledger entries and of its unexpected money. Unexpected money is money that was
 * received or returned although the payment did not expect it.
 */
export type PaymentRecords = {
  status: Status
  /** The amount paid. Null if the payment has not been paid. */
  amountPaid: Cents | null
  /** Whether the payment was paid on the reconciled day. If so, the settlement for this day should contain it. */
  isPaidThatDay: boolean
  /**
   * The number and the total amount of the ledger's credits for the payment itself, without additional money.
   * A paid payment must have exactly one such credit.
   */
  credits: bigint
  credited: Cents
  /**
   * The total credited for additional money that was received for the payment, such as an overpayment. The
   * credit for the payment itself is not included. Credits for failed refunds and won chargebacks are not included
   * either.
   */
  creditedBesides: Cents
  /**
   * The payment's debits for money that the provider returned to the payer, in cents. They are split in three sums,
   * each up to the end of the reconciled day. Debits that were credited back are subtracted.
   *
   * - `debited`: refunds, chargebacks and reversals that the provider made.
   * - `pendingReturns`: refunds and chargebacks that are still pending. The provider may already have made them.
   * - `refundedManually`: refunds that the operator makes by bank transfer. The provider still has their money.
   */
  debited: Cents
  pendingReturns: Cents
  refundedManually: Cents
  /**
   * The totals of the payment's unexpected money that awaits a decision by the Owner (the operator):
   * `waiting` is received money that is not credited yet, and `held` is returned money that is not debited
   * yet.
   */
  waiting: Cents
  held: Cents
  /**
   * The total of the refunds that the provider reported and that the Owner decided not to debit. The operator may have
   * made a manual refund at the provider.
   */
  dismissedRefunds: Cents
  /**
   * The operator's refunds of money that was never credited and therefore has no ledger entries. `refundedUncredited`
   * is the total of these refunds. `returnedUncredited` is the total of those that the provider has made. Refunds that
   * are pending at the provider are included in `pendingReturns`.
   */
  refundedUncredited: Cents
  returnedUncredited: Cents
}

/**
 * A payment's totals in the lines of settlements: the number of lines that report it as paid, the total paid,
 * and the total returned.
 */
export type SettledLines = {
  paidTimes: bigint
  paid: Cents
  returned: Cents
}

export type ProviderData =
  /**
   * The lines about a payment in the provider's settlements. `settlesDay` is true if the account's settlement for the
   * day was uploaded. A payment without a line was then not settled on this day.
   */
  | { source: 'settlement'; lines: SettledLines; settlesDay: boolean }
  | { source: 'inquiry'; status: Exclude<InquiryResult, 'not_reported'> }

/**
 * Returns a payment's differences, including those that an open record of unexpected money explains. The detail of
 * such a difference mentions the record.
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
    left.includes(`${each.between} ${each.kind}`) ? each : { ...each, detail: each.detail + EXPLAINED },
  )
}

function differencesOf(position: PaymentRecords, data: ProviderData | undefined): Finding[] {
  const found = [...againstLedger(position)]
  if (data?.source === 'settlement') found.push(...againstSettlement(position, data))
  if (data?.source === 'inquiry') found.push(...againstInquiry(position, data.status))
  return found
}

/**
 * Returns the most that the provider can have returned according to our records. The least is `debited`. A manual
 * refund counts only if the operator made it at the provider: the provider then reported it, and the Owner dismissed
 * the report.
 */
function returnedAtMost({
  debited,
  pendingReturns,
  refundedManually,
  dismissedRefunds,
}: PaymentRecords): Cents {
  const manualAtProvider = dismissedRefunds < refundedManually ? dismissedRefunds : refundedManually
  return debited + pendingReturns + manualAtProvider
}

const finding = (kind: DifferenceKind, between: Pair, text: DetailText, values?: DetailValues): Finding[] => [
  { kind, between, detail: detailIn(text, values) },
]

function againstLedger({ amountPaid, credits, credited }: PaymentRecords): Finding[] {
  const books = 'payments_ledger'
  if (credits > 1n) return finding('duplicate', books, 'credited_twice')
  if (amountPaid === null) return credits === 0n ? [] : finding('missing_here', books, 'credited_unpaid')
  if (credits === 0n) return finding('missing_there', books, 'not_credited')
  return credited === amountPaid ? [] : finding('amount', books, 'credited_amount')
}

function againstSettlement(
  position: PaymentRecords,
  { lines, settlesDay }: Extract<ProviderData, { source: 'settlement' }>,
): Finding[] {
  const { amountPaid, creditedBesides, isPaidThatDay } = position
  const isGone = amountPaid !== null && returnedAtMost(position) >= amountPaid + creditedBesides
  // If a payment's money was received and returned on the same day, the settlement may omit the payment.
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
      return finding('missing_here', provider, 'settled_unpaid', { ours: status })
    return returned > 0n ? finding('status', provider, 'returned_unpaid', { ours: status }) : []
  }
  if (paidTimes === 0n) {
    // If the settlement lists the return of a payment's money but not the payment itself, the return implies
    // that the payment was paid.
    return settlesDay && isPaidThatDay && returned === 0n
      ? finding('missing_there', provider, 'not_settled')
      : []
  }
  // Additional money for the payment may have been credited separately. The settled amount is also correct if
  // it equals the total of both credits.
  if (paid === amountPaid + creditedBesides) return []
  if (paidTimes > 1n) return finding('duplicate', provider, 'settled_twice')
  if (paid === amountPaid) return finding('duplicate', 'ledger_provider', 'credited_more')
  return finding('amount', provider, 'settled_amount')
}

/**
 * Compares the returned amount in the settlements with the ledger's debits. Reports a difference only if the
 * settlement for the day was uploaded, because a provider may settle a refund or chargeback late.
 */
function againstReturned(
  position: PaymentRecords,
  { returned }: SettledLines,
  settlesDay: boolean,
): Finding[] {
  const { amountPaid, debited } = position
  const most = returnedAtMost(position)
  if (amountPaid === null || !settlesDay || (returned >= debited && returned <= most)) return []
  const between = 'ledger_provider'
  if (most === 0n) return finding('status', between, 'not_debited')
  if (returned === 0n) return finding('status', between, 'not_returned')
  return finding('amount', between, 'returned_amount')
}

const closed: readonly string[] = ['failed', 'expired', 'cancelled']
/**
 * The statuses of payments that were never shown to a payer. If such a payment differs from the provider's
 * data, the difference is reported only if the provider received money for the payment.
 */
const unshown: readonly string[] = ['charging', 'unknown', 'uncharged', 'rejected']

function againstInquiry(position: PaymentRecords, report: Exclude<InquiryResult, 'not_reported'>): Finding[] {
  const { status, amountPaid, creditedBesides } = position
  const provider = 'payments_provider'
  const said = report === 'absent' ? 'absent' : report.fact.type
  if (report !== 'absent' && report.fact.type === 'paid') {
    if (amountPaid === null)
      return report.fact.amountPaid === creditedBesides
        ? []
        : finding('missing_here', provider, 'reported_paid', { ours: status })
    const returns = againstReturns(position, report.returns)
    if (returns) return returns
    if (!report.mayOmitReturns && isDebitedInFull(position))
      return finding('status', 'ledger_provider', 'debited_paid')
    return [amountPaid, amountPaid + creditedBesides].includes(report.fact.amountPaid)
      ? []
      : finding('amount', provider, 'reported_amount')
  }
  // After a refund, a provider may report an unpaid status or no status. This is not a difference if the ledger
  // has debited the refund.
  const returned = returnedAtMost(position)
  const isTakenBack = amountPaid !== null && (said === 'nothing' ? returned > 0n : returned >= amountPaid)
  if (isTakenBack) return []
  if (said === 'nothing' || said === 'challenged')
    return said === status || unshown.includes(status)
      ? []
      : finding('status', provider, 'reported_reason', { ours: status, theirs: reasonOf(report) })
  if (amountPaid !== null) return finding('missing_there', provider, 'reported_unpaid', { theirs: said })
  if (unshown.includes(status)) return []
  // Every closed status means that no money was received, so different closed statuses here and at the provider are no
  // difference. A closed payment may also be `pending` at the provider, because this service does not notify the
  // provider when it closes a payment.
  const isOverHere = closed.includes(status) && [...closed, 'absent', 'pending'].includes(said)
  return said === status || isOverHere
    ? []
    : finding('status', provider, 'reported_status', { ours: status, theirs: said })
}

/**
 * Returns whether the whole amount paid was debited because the provider returned it. If additional money was credited
 * for the payment, the provider may have returned this money instead.
 */
const isDebitedInFull = ({ amountPaid, creditedBesides, debited }: PaymentRecords): boolean =>
  amountPaid !== null && debited >= amountPaid && debited > creditedBesides

/**
 * Compares the refunds and chargebacks in the provider's data with the ledger's debits. Returns undefined if the
 * provider lists none. The debits may exceed the listed amount, because the provider lists only the returns of the
 * order that was paid. Money that was received under another order reference may also have been returned.
 */
function againstReturns(
  position: PaymentRecords,
  returns: readonly MoneyReturn[] = [],
): Finding[] | undefined {
  const gone = returns.filter(({ status }) => status !== 'failed')
  if (gone.length === 0) return undefined
  const between = 'ledger_provider'
  const most = returnedAtMost(position)
  if (most === 0n) return finding('status', between, 'not_debited')
  const returned = gone.reduce((sum, { amount }) => sum + (amount ?? 0n), 0n)
  return returned > most ? finding('amount', between, 'returned_amount') : []
}

const reasonOf = (report: Exclude<InquiryResult, 'not_reported'>): string =>
  report !== 'absent' && 'reason' in report.fact ? report.fact.reason : 'absent'
