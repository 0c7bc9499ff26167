// Plans the records of unconfirmed money. A claim is a report of received money that the provider has not confirmed. A
// claim never credits money. The operator decides on a claim if its payment has already ended, or if the claim is about
// an earlier charge attempt.

import {
  isMoneyReceived,
  type MoneyReceivedEvent,
  type Payment,
  type PaymentEvent,
  receivedAmount,
  referenceOf,
} from '../payment.ts'
import {
  endOf,
  grownRecord,
  isOfOwnReceipt,
  largest,
  type MoneyPlan,
  planMoney,
  recordedReceiptOf,
} from './plan-received-money.ts'
import { transitions } from './transitions.ts'
import { isUndecided, newRecord, paymentFields, type UnexpectedMoney } from './unexpected-money.ts'

/**
 * Plans which records of unexpected money a reported event creates or changes. A claim is a report of money that the
 * provider has not confirmed. Uncredited claims do not affect the plan for confirmed money. Confirmed money closes the
 * claims about the same money, so that this money cannot be credited twice.
 */
export function planReport(
  payment: Payment,
  event: PaymentEvent,
  records: UnexpectedMoney[],
  at: Date,
): MoneyPlan {
  const claims = records.filter(isUncreditedClaim)
  const confirmed = records
    .filter(record => !isUncreditedClaim(record))
    .map(record => (isOfOtherReceipt(payment, record) ? { ...record, round: 1 } : record))
  if (event.type === 'challenged' && event.claim && !isOfOpenAttempt(payment, event.claim))
    return planClaim(payment, { type: 'paid', ...event.claim }, { claims, confirmed }, at)
  const plan = planMoney(payment, event, confirmed, at)
  if (plan.kind !== 'apply') return plan
  const closed = claims.filter(isUndecided).filter(claim => isAboutClaim(payment, event, claim))
  const reason =
    event.type === 'reversed'
      ? 'the provider took it back'
      : 'the provider confirmed this money, which is recorded separately'
  return {
    ...plan,
    records: [
      ...plan.records,
      ...closed.map(claim => ({ ...claim, status: 'dismissed' as const, decidedAt: at, reason })),
    ],
  }
}

/**
 * Returns whether the claim is about the latest charge attempt of a payment that has not ended. Such a claim only
 * challenges the payment. A claim about an earlier attempt must not challenge the payment, because the latest attempt
 * can still be paid as usual.
 */
const isOfOpenAttempt = (payment: Payment, { reference }: { reference: string }): boolean =>
  transitions[payment.status].challenged !== 'refused' && reference === referenceOf(payment)

const isUncreditedClaim = ({ kind, credited }: UnexpectedMoney): boolean =>
  kind === 'unconfirmed' && !credited

/**
 * Returns whether accepted unconfirmed money turned out to be a different transfer (receipt) than the one that paid the
 * payment. Until the receipt ID of that transfer is known, any money may belong to it.
 */
const isOfOtherReceipt = (payment: Payment, record: UnexpectedMoney): boolean =>
  record.kind === 'unconfirmed' && payment.receipt !== null && !isOfOwnReceipt(payment, record)

function planClaim(
  payment: Payment,
  claimed: Extract<PaymentEvent, { type: 'paid' }>,
  { claims, confirmed }: { claims: UnexpectedMoney[]; confirmed: UnexpectedMoney[] },
  at: Date,
): MoneyPlan {
  const { reference, receipt = '', amountPaid, paidAt } = claimed
  const known = recordedReceiptOf(payment, claimed, confirmed)
  // A claim is reported money that the provider has not confirmed. A receipt has at most one open claim, even if the
  // receipt turns out later to have paid the payment.
  const ofReceipt = claims
    .filter(claim => claim.reference === reference && claim.receipt === receipt)
    .filter(claim => isUndecided(claim) || claim.round === known.round)
  if (amountPaid <= largest([known.covered, ...ofReceipt.map(endOf)])) return { kind: 'known' }
  // The operator already has a record of a part of this receipt. A record of the rest is refused, because the rest
  // could be credited together with the part, which may have been refunded.
  if (known.covered > 0n && payment.status !== 'paid')
    return { kind: 'refused', reason: 'a part of this receipt is already recorded as unexpected money' }
  const growing = ofReceipt.find(isUndecided)
  const record = grownRecord({ ...known, growing }, amountPaid, () =>
    newRecord(
      {
        ...{ ...paymentFields(payment), kind: 'unconfirmed', reference, receipt },
        ...{ amount: null, credited: false, paidAt },
      },
      at,
    ),
  )
  return { kind: 'set_aside', record }
}

/**
 * Returns whether the event is about the money of a claim (money that was reported but not confirmed): the
 * event confirms this money or reverses it.
 */
function isAboutClaim(payment: Payment, event: PaymentEvent, claim: UnexpectedMoney): boolean {
  if (event.type === 'reversed') return isOfOwnReceipt(payment, claim)
  // Money that the operator accepted (`acceptedId`) already has its own record, so the event is not about
  // this claim.
  if (!isMoneyReceived(event) || (event.type === 'paid' && event.acceptedId !== undefined)) return false
  return isConfirmedBy(payment, event, claim)
}

/**
 * Returns whether the provider's report confirms a claim. A claim is a report of money that the provider had not
 * confirmed. If only the report or only the claim has a receipt ID, their amounts must be equal
 * (docs/decisions/0015-unexpected-money.md). For a paid payment, a report without a receipt ID only repeats the money
 * that paid the payment. Such a report confirms no claim that has a receipt ID.
 */
function isConfirmedBy(
  { status }: Payment,
  event: MoneyReceivedEvent,
  { reference, receipt, ...claim }: UnexpectedMoney,
): boolean {
  const sum = receivedAmount(event)
  const reported = event.receipt ?? ''
  if (reference !== event.reference || sum <= claim.fromAmount) return false
  if (reported === receipt) return true
  return status !== 'paid' && (reported === '' || receipt === '') && sum === endOf(claim)
}
