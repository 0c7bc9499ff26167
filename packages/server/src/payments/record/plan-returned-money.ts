// Plans how records change when a provider reports refunds and chargebacks ("returns"). Each return has one
// record of unexpected money. The ledger changes in two cases: a return is accepted, or a return that was
// already debited did not take place.

import type { MoneyReturn } from '../../providers/provider.ts'
import type { PaymentEvent } from '../payment.ts'
import { isReturn, returnName, type UnexpectedMoney } from './unexpected-money.ts'

export type ReturnedMoneyPlan = {
  /** The new or changed records of refunds and chargebacks. */
  records: UnexpectedMoney[]
  /**
   * Credits that undo earlier debits: a refund or chargeback was debited, but according to a later report, it
   * did not take place.
   */
  undone: Extract<PaymentEvent, { type: 'paid_again' }>[]
}

/**
 * Returns how reported refunds and chargebacks change the records of unexpected money. `known` contains the existing
 * records: those of the payment or, without a payment, of the provider account. The function `open` creates a record
 * that awaits a decision.
 */
export function planReturnedMoney(
  { reference, returns }: { reference: string; returns: MoneyReturn[] },
  known: UnexpectedMoney[],
  open: Open,
  at: Date,
): ReturnedMoneyPlan {
  const changed = new Map<string, UnexpectedMoney>()
  const undone: ReturnedMoneyPlan['undone'] = []
  for (const reported of returns) {
    const current = [...known.filter(({ id }) => !changed.has(id)), ...changed.values()]
    const ofKind = recordsOfKind(current, reference, reported)
    for (const next of recordsAfter(reported, ofKind, open, at)) {
      const before = ofKind.find(({ id }) => id === next.id)
      if (next === before) continue
      changed.set(next.id, next)
      if (isUndone(before, next))
        undone.push({
          type: 'paid_again',
          amount: next.amount,
          unexpectedMoneyId: next.id,
          why: `the debit of the ${returnName(next)} is undone: ${next.reason}`,
        })
    }
  }
  return { records: [...changed.values()], undone }
}

type ReturnFields = Pick<UnexpectedMoney, 'kind' | 'receipt' | 'amount' | 'returnStatus' | 'round'>
type Open = (fields: ReturnFields) => UnexpectedMoney

/**
 * Returns the records that a message about one return (a refund or chargeback) changes. A provider may first
 * report a return without its ID and amount, and later with both. Both messages update the same record. After the
 * message with the ID, messages without an ID are ignored as outdated.
 */
function recordsAfter(
  reported: MoneyReturn,
  ofKind: UnexpectedMoney[],
  open: Open,
  at: Date,
): UnexpectedMoney[] {
  if (reported.id === null && isListed(ofKind)) return []
  const record = recordToUpdate(reported, ofKind)
  if (!record) return [firstRecord(reported, open, at)]
  return record.receipt === (reported.id ?? '')
    ? followUp(record, reported, open, at)
    : listed(record, reported, open, at)
}

/**
 * Returns the record that a report about a return (a refund or chargeback) of an order updates, or undefined if the
 * report is the first about this return. `known` contains the existing records.
 */
export const recordOfReturn = (
  known: UnexpectedMoney[],
  reference: string,
  reported: MoneyReturn,
): UnexpectedMoney | undefined => recordToUpdate(reported, recordsOfKind(known, reference, reported))

const recordsOfKind = (known: UnexpectedMoney[], reference: string, { kind }: MoneyReturn) =>
  known.filter(record => isReturn(record) && record.kind === kind && record.reference === reference)

const isListed = (ofKind: UnexpectedMoney[]): boolean => ofKind.some(({ receipt }) => receipt !== '')

function recordToUpdate({ id }: MoneyReturn, ofKind: UnexpectedMoney[]): UnexpectedMoney | undefined {
  const latest = latestOf(ofKind, id ?? '')
  if (latest || isListed(ofKind)) return latest
  const unlisted = latestOf(ofKind, '')
  return unlisted?.returnStatus === 'failed' ? undefined : unlisted
}

const latestOf = (ofKind: UnexpectedMoney[], id: string): UnexpectedMoney | undefined =>
  ofKind.filter(({ receipt }) => receipt === id).toSorted((a, b) => b.round - a.round)[0]

/**
 * Merges two reports of the same refund or chargeback: `unlisted`, the record of the first report, which had no
 * ID, and `reported`, the later report with the ID.
 */
function listed(unlisted: UnexpectedMoney, reported: MoneyReturn, open: Open, at: Date): UnexpectedMoney[] {
  const amount = positive(reported.amount)
  if (unlisted.status === 'dismissed') {
    // A dismissed record never changes, so the ID of the refund or chargeback cannot be added to it. A new record gets
    // this ID, and the operator's decision is copied to the new record.
    const record = firstRecord({ ...reported, amount: amount ?? unlisted.amount }, open, at)
    const { status, decidedAt, reason } = unlisted
    const isOpen = record.status === 'open' && !needsNewDecision(unlisted, reported)
    return [isOpen ? { ...record, status, decidedAt, reason } : record]
  }
  const isOtherAmount =
    reported.status !== 'failed' && amount !== null && unlisted.amount !== null && amount !== unlisted.amount
  // The operator may have accepted another amount before the report with the ID arrived. In this case, the
  // debit is undone, and a new record with the reported amount replaces it.
  return isOtherAmount
    ? [
        dismissed(
          unlisted,
          `the provider reported this ${unlisted.kind} as ${reported.id} with a different amount`,
          at,
        ),
        firstRecord(reported, open, at),
      ]
    : followUp({ ...unlisted, receipt: reported.id ?? '' }, reported, open, at)
}

/**
 * Creates the first record of a refund or chargeback. A failed refund or chargeback gets a record, too, because an
 * older message that reports it as pending may still arrive.
 */
function firstRecord(reported: MoneyReturn, open: Open, at: Date): UnexpectedMoney {
  const { kind, id, amount, status } = reported
  const record = open({ kind, receipt: id ?? '', amount: positive(amount), returnStatus: status, round: 1 })
  return status === 'failed' ? failed(record, at) : record
}

const failed = (record: UnexpectedMoney, at: Date): UnexpectedMoney => ({
  ...dismissed(
    record,
    record.kind === 'chargeback' ? 'the chargeback was won' : 'the provider reports that it failed',
    at,
  ),
  returnStatus: 'failed',
})

const dismissed = (record: UnexpectedMoney, reason: string, at: Date): UnexpectedMoney => ({
  ...record,
  status: 'dismissed',
  decidedAt: at,
  reason,
})

/**
 * Returns whether a report about a dismissed refund or chargeback needs a new decision. This is the case if the refund
 * or chargeback was pending when dismissed and has now succeeded. A new decision is also needed if a chargeback that
 * the operator recorded as won is reported again.
 */
const needsNewDecision = (dismissedReturn: UnexpectedMoney, { status }: MoneyReturn): boolean =>
  isRecordedAsWon(dismissedReturn)
    ? status !== 'failed'
    : (dismissedReturn.returnStatus ?? 'pending') === 'pending' && status === 'succeeded'

/**
 * Returns how the record of a debited chargeback changes when the operator records that the merchant won the
 * dispute.
 */
export const recordedAsWon = (record: UnexpectedMoney, reason: string, at: Date): UnexpectedMoney =>
  dismissed(record, reason, at)

/**
 * Returns whether the chargeback was dismissed because the operator recorded that the merchant won it. If the provider
 * had reported the win, `returnStatus` would be `failed`. If another debit had replaced this debit, this record would
 * not be the latest.
 */
const isRecordedAsWon = ({ status, credited, returnStatus }: UnexpectedMoney): boolean =>
  status === 'dismissed' && credited && returnStatus !== 'failed'

/**
 * Ranks the statuses of a refund or chargeback. If the status in a message has a lower rank than the known
 * status, the message is outdated and does not change the status.
 */
const rank: Record<MoneyReturn['status'], number> = { pending: 0, succeeded: 1, failed: 2 }

function followUp(latest: UnexpectedMoney, reported: MoneyReturn, open: Open, at: Date): UnexpectedMoney[] {
  const before = latest.returnStatus ?? 'pending'
  const returnStatus = rank[reported.status] > rank[before] ? reported.status : before
  if (latest.status === 'dismissed') {
    const { kind, receipt, round } = latest
    const amount = positive(reported.amount) ?? latest.amount
    return needsNewDecision(latest, reported)
      ? [open({ kind, receipt, amount, returnStatus: reported.status, round: round + 1 })]
      : [latest]
  }
  if (returnStatus === 'failed') return [before === 'failed' ? latest : failed(latest, at)]
  const amount = amountAfter(latest, reported)
  if (returnStatus === before && amount === latest.amount) return [latest]
  const next = { ...latest, returnStatus }
  if (latest.amount === null || amount === null) return [{ ...next, amount }]
  const mayGrow = latest.status === 'open' && amount >= latest.amount
  return amount === latest.amount || mayGrow ? [{ ...next, amount }] : corrected(next, amount, open, at)
}

/**
 * Replaces a record whose amount turned out to be wrong. The amount of a debited record never changes. Therefore, the
 * whole debit is undone, and a new record with the reported amount is debited for the same payment.
 */
function corrected(wrong: UnexpectedMoney, amount: bigint, open: Open, at: Date): UnexpectedMoney[] {
  const { kind, receipt, returnStatus, round, tenantId, paymentId, expectedAmount } = wrong
  const record = open({ kind, receipt, amount, returnStatus, round: round + 1 })
  return [
    dismissed(wrong, `the provider later reported a different amount for this ${kind}`, at),
    { ...record, tenantId, paymentId, expectedAmount },
  ]
}

/**
 * Returns a record's amount after a report:
 *
 * - A report with a later status sets the amount, because a dispute may end with a higher or lower amount.
 * - If the status is the same, the larger amount applies, because reports can arrive in any order.
 * - An outdated report sets the amount only if the amount was unknown.
 */
function amountAfter(
  { amount, returnStatus }: Pick<UnexpectedMoney, 'amount' | 'returnStatus'>,
  reported: MoneyReturn,
): bigint | null {
  const next = positive(reported.amount)
  if (amount === null || next === null) return amount ?? next
  const progress = rank[reported.status] - rank[returnStatus ?? 'pending']
  if (progress > 0) return next
  return progress === 0 && next > amount ? next : amount
}

/** Returns the amount of a refund or chargeback, or null if it is unknown. Zero is treated as unknown. */
const positive = (amount: bigint | null): bigint | null => (amount !== null && amount > 0n ? amount : null)

const isUndone = (
  before: UnexpectedMoney | undefined,
  next: UnexpectedMoney,
): next is UnexpectedMoney & { amount: bigint } =>
  before?.status === 'accepted' && next.status === 'dismissed' && next.amount !== null
