// Plans how an event changes the records of a payment's money. A receipt is the money that the provider reports under
// one id. The ledger entries and open records of a receipt always add up to the amount last reported for it
// (test/support/money-invariant.ts).

import { newId } from '../../values/id.ts'
import type { Cents } from '../../values/money.ts'
import {
  isMoneyReceived,
  isSecondPayment,
  isShown,
  type MoneyReceivedEvent,
  type Payment,
  type PaymentEvent,
  receivedAmount,
  referenceOf,
} from '../payment.ts'
import {
  isReturn,
  isUndecided,
  newRecord,
  paymentFields,
  type UnexpectedKind,
  type UnexpectedMoney,
} from './unexpected-money.ts'

/** The plan for recording an event: the event to apply, and the new or changed records of unexpected money. */
export type MoneyPlan =
  | { kind: 'apply'; event: PaymentEvent; records: UnexpectedMoney[] }
  /** The payment does not change. The record waits for the operator's decision. */
  | { kind: 'set_aside'; record: UnexpectedMoney }
  /** Nothing changes, because all money in the provider's report is already recorded. */
  | { kind: 'known' }
  | { kind: 'refused'; reason: string }

/**
 * Returns whether `planMoney` needs the payment's records of unexpected money for the event. Few payments have such
 * records, so they are read from the database only when needed.
 */
export function needsRecords(payment: Payment, event: PaymentEvent): boolean {
  if (event.type === 'reversed') return true
  if (event.type === 'challenged') return event.claim !== undefined && mayHaveClaims(payment, event.claim)
  if (!isMoneyReceived(event) || (event.type === 'paid' && event.acceptedId !== undefined)) return false
  if (payment.status !== 'paid' || payment.amountPaid === null)
    return payment.amountReceived !== null || mayHaveClaims(payment, event)
  const sum = receivedAmount(event)
  const isKnown = !isSecondPayment(payment, { ...event, sum }) && sum <= payment.amountPaid
  const learnsReceipt =
    payment.amountReceived !== null && payment.receipt === null && event.receipt !== undefined
  return !isKnown || learnsReceipt || payment.reversedAt !== null
}

/**
 * Returns whether claims (records of unconfirmed money) may exist for the order with this reference. An open payment has
 * none for its latest charge attempt.
 */
const mayHaveClaims = (payment: Payment, { reference }: { reference: string }): boolean =>
  isClosed(payment) || reference !== referenceOf(payment)

/**
 * Returns the events to record for one update, in order. If the provider reports less money than the operator
 * credited without confirmation, returns two events. The first event reverses the credit. The second event records
 * the reported amount, on which the operator must decide.
 */
export function eventsInOrder(payment: Payment, event: PaymentEvent): PaymentEvent[] {
  const { unconfirmedSince, amountPaid } = payment
  if (event.type !== 'underpaid' || unconfirmedSince === null || amountPaid === null) return [event]
  if (isSecondPayment(payment, { ...event, sum: event.received }) || event.received >= amountPaid)
    return [event]
  const { receipt, received } = event
  const reason = `the provider reports only ${received} of the ${amountPaid} cents that were credited without confirmation`
  return [
    { type: 'reversed', reason, unexpectedMoneyId: newId(), ...(receipt !== undefined && { receipt }) },
    event,
  ]
}

/**
 * Plans which records of unexpected money an event creates or changes. The parameter `records` must contain
 * all of the payment's existing records, unless `needsRecords` returns false for this event.
 */
export function planMoney(
  payment: Payment,
  event: PaymentEvent,
  records: UnexpectedMoney[],
  at: Date,
): MoneyPlan {
  if (event.type === 'reversed') return planReversal(payment, event, records, at)
  if (!isMoneyReceived(event)) return { kind: 'apply', event, records: [] }
  // The operator accepted this money, so it already has a record.
  if (event.type === 'paid' && event.acceptedId !== undefined) return { kind: 'apply', event, records: [] }
  return payment.status === 'paid'
    ? planFurtherMoney(payment, event, records, at)
    : planFirstMoney(payment, event, records, at)
}

function planFirstMoney(
  payment: Payment,
  event: MoneyReceivedEvent,
  records: UnexpectedMoney[],
  at: Date,
): MoneyPlan {
  const known = recordedReceiptOf(payment, event, records)
  // Providers repeat callbacks for days. A repeated report of a partial payment must not reopen a payment
  // that has since been closed.
  if (receivedAmount(event) <= known.covered) return { kind: 'known' }
  if (event.type === 'underpaid')
    return { kind: 'apply', event, records: [furtherRecord('underpaid', payment, event, known, at)] }
  // The operator has already refunded part of the received money, so the full amount must not be credited. The rest of
  // the money waits for the operator's decision.
  if (known.isDecided) {
    const reason = `the full amount was received, but ${known.covered} cents of it were refunded before`
    return {
      kind: 'apply',
      event: { ...event, type: 'underpaid', received: event.amountPaid, reason },
      records: [furtherRecord('underpaid', payment, event, known, at)],
    }
  }
  const kind = isClosed(payment) ? 'late' : event.amountPaid > payment.amount ? 'overpaid' : undefined
  return {
    kind: 'apply',
    event,
    records: [
      ...acceptedParts(payment, event, records, at),
      ...(kind && event.unconfirmed === undefined
        ? [recordOf(kind, payment, event, { amount: event.amountPaid, credited: true }, at)]
        : []),
    ],
  }
}

function planFurtherMoney(
  payment: Payment,
  event: MoneyReceivedEvent,
  records: UnexpectedMoney[],
  at: Date,
): MoneyPlan {
  const sum = receivedAmount(event)
  const isOwn = !isSecondPayment(payment, { ...event, sum })
  const settled = isOwn ? acceptedParts(payment, event, inCreditOf(payment, records), at) : []
  const known = recordedReceiptOf(payment, event, records)
  if (sum <= known.covered)
    // Although the amount is already recorded, the event is applied, because it may add the receipt ID (the provider's
    // ID for the money).
    return event.type === 'underpaid' ? { kind: 'known' } : { kind: 'apply', event, records: settled }
  if (!isOwn)
    return { kind: 'apply', event, records: [furtherRecord('second_payment', payment, event, known, at)] }
  if (known.round === 1)
    return {
      kind: 'apply',
      event,
      records: [...settled, furtherRecord('increase', payment, event, known, at)],
    }
  const record = furtherRecord('paid_after_reversal', payment, event, known, at)
  const { reference, receipt } = event
  return {
    kind: 'apply',
    event:
      known.covered === 0n
        ? { type: 'paid_after_reversal', amount: sum, reference, ...(receipt !== undefined && { receipt }) }
        : event,
    records: [record],
  }
}

/**
 * Plans a reversal. It takes back all money that paid the payment, except money already taken back by an earlier
 * reversal.
 */
function planReversal(
  payment: Payment,
  event: Extract<PaymentEvent, { type: 'reversed' }>,
  records: UnexpectedMoney[],
  at: Date,
): MoneyPlan {
  if (payment.status !== 'paid' || payment.amountPaid === null)
    return { kind: 'refused', reason: `reversed does not follow ${payment.status}` }
  const own = records.filter(record => isOfOwnReceipt(payment, record))
  const round = roundOf(own)
  const inRound = own.filter(record => record.kind !== 'reversal' && record.round === round)
  if (round > 1 && inRound.length === 0)
    return { kind: 'refused', reason: 'reversed changes nothing: all of it is taken back already' }
  const furtherCredits = inRound.filter(record => record.credited && isOwnCredit(payment, record))
  const credited = (round === 1 ? creditOfReceipt(payment, own) : 0n) + total(furtherCredits)
  const waiting = inRound.filter(isUndecided)
  const reversal = newRecord(
    {
      ...paymentFields(payment),
      id: event.unexpectedMoneyId,
      kind: 'reversal',
      reference: payment.paidReference ?? payment.paymentCode,
      receipt: payment.receipt ?? '',
      round,
      amount: credited > 0n ? credited : total(inRound),
      credited: credited > 0n,
      paidAt: payment.paidAt ?? at,
      // The operator has nothing to decide if the reversed money was never credited, so the record is closed
      // at once.
      ...(credited === 0n && { status: 'accepted', decidedAt: at, reason: 'none of it had been credited' }),
    },
    at,
  )
  const closed = waiting.map(record => ({
    ...record,
    status: 'refunded' as const,
    decidedAt: at,
    reason: 'the provider took it back',
  }))
  return { kind: 'apply', event: { ...event, amount: credited }, records: [reversal, ...closed] }
}

/**
 * Returns whether the money in an accepted record of this kind is credited separately, in addition to the payment's own
 * credit.
 */
export const hasOwnCredit = (kind: UnexpectedKind): boolean =>
  kind === 'increase' || kind === 'paid_after_reversal' || kind === 'second_payment'

/**
 * Returns whether this credited record has its own ledger credit, instead of being part of the payment's credit.
 * Unconfirmed money that the operator accepted has its own credit only if it was credited in addition to the payment.
 */
const isOwnCredit = (payment: Payment, { kind, round, fromAmount }: UnexpectedMoney): boolean =>
  hasOwnCredit(kind) || (kind === 'unconfirmed' && (round > 1 || fromAmount >= (payment.amountPaid ?? 0n)))

type RecordedReceipt = {
  round: number
  /**
   * How many cents of the received money already have a ledger entry or a record. Money that the provider has taken
   * back is not included.
   */
  covered: Cents
  /** The open record of this receipt, if any. Its amount increases if the provider reports a larger amount. */
  growing: UnexpectedMoney | undefined
  /**
   * True if the operator or the service has already decided on a part of this money, which closed the record of that
   * part.
   */
  isDecided: boolean
}

export function recordedReceiptOf(
  payment: Payment,
  event: MoneyReceivedEvent,
  records: UnexpectedMoney[],
): RecordedReceipt {
  const isOwn =
    payment.status === 'paid' && !isSecondPayment(payment, { ...event, sum: receivedAmount(event) })
  const named = event.receipt ?? ''
  const ofReceipt = records.filter(
    record =>
      (record.reference === event.reference && !isReturn(record) && record.receipt === named) ||
      (isOwn && isOfOwnReceipt(payment, record)),
  )
  const own = isOwn ? (payment.amountPaid ?? 0n) : 0n
  return recordedReceipt(ofReceipt, own)
}

/**
 * Summarizes the records of one receipt (money that the provider reports under one ID). The parameter `own` is
 * the payment's credit in cents, or 0 if this money did not pay the payment.
 */
export function recordedReceipt(ofReceipt: UnexpectedMoney[], own: Cents): RecordedReceipt {
  const round = roundOf(ofReceipt)
  const inRound = ofReceipt.filter(({ kind, round: its }) => kind !== 'reversal' && its === round)
  const covered = largest([round === 1 ? own : 0n, ...inRound.map(endOf)])
  return {
    round,
    covered,
    growing: inRound.find(record => isUndecided(record) && endOf(record) === covered),
    isDecided: inRound.some(({ status }) => status !== 'open'),
  }
}

export const endOf = ({ fromAmount, amount }: Pick<UnexpectedMoney, 'fromAmount' | 'amount'>): Cents =>
  fromAmount + (amount ?? 0n)
export const largest = (sums: Cents[]): Cents => sums.toSorted((a, b) => Number(b - a))[0] ?? 0n
const total = (records: UnexpectedMoney[]): Cents =>
  records.reduce((sum, { amount }) => sum + (amount ?? 0n), 0n)

const roundOf = (ofReceipt: UnexpectedMoney[]): number =>
  1 + ofReceipt.filter(({ kind }) => kind === 'reversal').length

/**
 * Returns whether the record belongs to the money with which the payment was paid. A record without a receipt ID
 * counts as belonging to any money with its order reference (docs/decisions/0015-unexpected-money.md).
 */
export const isOfOwnReceipt = (
  payment: Pick<Payment, 'paidReference' | 'receipt'>,
  record: UnexpectedMoney,
): boolean =>
  !isReturn(record) &&
  record.reference === payment.paidReference &&
  (record.receipt === '' || record.receipt === payment.receipt)

/**
 * Returns a record for the part of the received amount `sum` that no ledger entry or record covers yet. If the money
 * has an open record, returns this record with a larger amount. Otherwise, returns a new record.
 */
export function grownRecord(
  known: RecordedReceipt,
  sum: Cents,
  open: () => UnexpectedMoney,
): UnexpectedMoney {
  const { growing, covered, round } = known
  if (growing) return { ...growing, amount: sum - growing.fromAmount }
  return { ...open(), fromAmount: covered, round, amount: sum - covered }
}

const furtherRecord = (
  kind: UnexpectedKind,
  payment: Payment,
  event: MoneyReceivedEvent,
  known: RecordedReceipt,
  at: Date,
): UnexpectedMoney =>
  grownRecord(known, receivedAmount(event), () =>
    recordOf(kind, payment, event, { amount: null, credited: false }, at),
  )

const recordOf = (
  kind: UnexpectedKind,
  payment: Payment,
  { reference, receipt, paidAt }: MoneyReceivedEvent,
  fields: Pick<UnexpectedMoney, 'amount' | 'credited'>,
  at: Date,
): UnexpectedMoney =>
  newRecord({ ...paymentFields(payment), kind, reference, receipt: receipt ?? '', paidAt, ...fields }, at)

/**
 * Accepts the open records of partial payments that are part of the payment's credit. If the credit has no receipt ID,
 * it is unknown whether it includes partial payments with a receipt ID. Their records stay open, so that their money is
 * neither credited twice nor lost.
 */
function acceptedParts(
  payment: Payment,
  event: MoneyReceivedEvent,
  records: UnexpectedMoney[],
  at: Date,
): UnexpectedMoney[] {
  if (event.type !== 'paid' || payment.amountReceived === null) return []
  const reason = 'the payment became paid with this money'
  return records
    .filter(
      record =>
        record.kind === 'underpaid' &&
        record.status === 'open' &&
        record.reference === event.reference &&
        (record.receipt === '' || record.receipt === event.receipt),
    )
    .map(record => ({ ...record, status: 'accepted', credited: true, decidedAt: at, reason }))
}

/** Returns the records of money that is part of a paid payment's credit in the ledger. */
function inCreditOf(payment: Payment, records: UnexpectedMoney[]): UnexpectedMoney[] {
  const own = records.filter(record => isOfOwnReceipt(payment, record))
  if (isPaidWithOnePart(payment, own)) return []
  return records.filter(record => endOf(record) <= (payment.amountPaid ?? 0n))
}

/**
 * Returns how many cents were credited for the money that paid the payment. If several partial payments paid it, and
 * the operator accepted each of them separately, this is the sum of their credits.
 */
function creditOfReceipt(payment: Payment, own: UnexpectedMoney[]): Cents {
  return isPaidWithOnePart(payment, own) ? total(own.filter(isCreditedPart)) : (payment.amountPaid ?? 0n)
}

/**
 * Returns how many cents of the payment's money are credited in total, without the money that the provider has
 * reversed. `records` must contain all of the payment's records.
 */
export function creditOfPayment(payment: Payment, records: UnexpectedMoney[]): Cents {
  const own = records.filter(record => isOfOwnReceipt(payment, record))
  const further = records.filter(({ kind, credited }) => credited && hasOwnCredit(kind))
  const reversed = records.filter(({ kind, credited }) => credited && kind === 'reversal')
  return creditOfReceipt(payment, own) + total(further) - total(reversed)
}

/**
 * Returns whether the payment's ledger credit covers only the first of several partial payments that the operator
 * accepted. In this case, the other partial payments have their own credits.
 */
const isPaidWithOnePart = (payment: Payment, own: UnexpectedMoney[]): boolean =>
  own.some(record => isCreditedPart(record) && endOf(record) > (payment.amountPaid ?? 0n))

const isCreditedPart = ({ kind, credited }: UnexpectedMoney): boolean => kind === 'underpaid' && credited

/**
 * Returns whether the payment has ended: its charge was rejected or created no order, or the API shows it as paid,
 * failed, expired or cancelled. If the full amount arrives after the end, the money is recorded as `late`, unless the
 * payment is already paid.
 */
export const isClosed = ({ status }: Payment): boolean =>
  status === 'rejected' ||
  status === 'uncharged' ||
  (isShown(status) && status !== 'pending' && status !== 'challenged')
