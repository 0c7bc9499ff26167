// An in-memory model of one payment: the money that the service has recorded, and the money that the provider
// holds. Each step applies the service's rules without a database.

import { GatewayError } from '../../src/faults/errors.ts'
import type { StoredFeeTerms } from '../../src/fees/stored-fee-rule.ts'
import type { DecisionToApply } from '../../src/inbox/apply-decision.ts'
import {
  decideAcceptance,
  decideDismissal,
  decideRefund,
  type RefundDecision,
  type UnexpectedMoneyRow,
} from '../../src/inbox/decision.ts'
import { planRefund } from '../../src/inbox/plan-refund.ts'
import { entryTypeOf, type Transfer } from '../../src/ledger/transfer.ts'
import type { Payment, PaymentEvent } from '../../src/payments/payment.ts'
import { type Batch, newBatch } from '../../src/payments/record/event-batch.ts'
import { interpretInquiry } from '../../src/payments/record/interpret-update.ts'
import { refundOfReport } from '../../src/payments/record/own-refund-report.ts'
import { eventsInOrder } from '../../src/payments/record/plan-received-money.ts'
import { recordRefund } from '../../src/payments/record/record-refund.ts'
import { recordReturnedRefund, recordReturns } from '../../src/payments/record/record-returns.ts'
import { recordStep } from '../../src/payments/record/record-step.ts'
import { applyRefundEvent, type PaymentRefund, type RefundEvent } from '../../src/payments/record/refund.ts'
import { isReturn, returnName, type UnexpectedMoney } from '../../src/payments/record/unexpected-money.ts'
import { midtrans } from '../../src/providers/midtrans/midtrans.ts'
import type { MoneyReturn, ProviderUpdate } from '../../src/providers/provider.ts'
import { makePayment, now } from './make-payment.ts'
import {
  type Held,
  held,
  nothingHeld,
  recorded,
  reportReceipt,
  reportReturn,
  takeBack,
} from './money-invariant.ts'

const payment = makePayment({ amount: 10_000n })
const key = { tenantId: payment.tenantId, paymentId: payment.id }
const reference = payment.paymentCode

/**
 * `batch` replaces record-event.ts and the database with data in memory. `held` models the money that the provider
 * holds.
 */
export type World = { batch: Batch; held: Held }
export const current = ({ batch }: World): Payment => batch.paymentOf(key)
export const records = ({ batch }: World): UnexpectedMoney[] => batch.recordsOf(key)
const entryOf = ({ to, amount }: Transfer) =>
  ({ entryType: to === 'merchant' ? 'credit' : 'debit', amount }) as const

const isFee = ({ from, to }: Transfer): boolean => from.startsWith('fee:') || to.startsWith('fee:')

/** Returns the transfers in the merchant's ledger without fees, each with its ledger entry's type and amount. */
export const entriesOf = ({ batch }: World) =>
  batch.transfers
    .filter(each => entryTypeOf(each) !== undefined && !isFee(each))
    .map(each => ({ ...each, ...entryOf(each) }))

/**
 * Returns the payment's money according to the service: its ledger entries plus its open records of unexpected
 * money (money that awaits the Owner's decision).
 */
export const recordedMoney = (world: World): bigint =>
  recorded({ entries: entriesOf(world), records: records(world) })
/**
 * Returns how much of the payment's money is left after refunds and chargebacks, according to the provider's
 * reports and the Owner's decisions.
 */
export const heldMoney = (world: World): bigint => held(world.held)

export const newWorld = (feeTerms: StoredFeeTerms | null): World => ({
  batch: newBatch([{ ...payment, feeTerms }], now),
  held: nothingHeld(),
})
const report = (event: PaymentEvent) => ({ ...key, event, cause: 'callback' })

function record(world: World, event: PaymentEvent): void {
  for (const step of eventsInOrder(current(world), event)) recordStep(world.batch, report(step), step)
}

export type Fact = ProviderUpdate['fact']

/** Applies the provider's response to a status inquiry. The response contains the payment's current status. */
function receiveFact(world: World, fact: Fact): void {
  const before = current(world)
  // Ignores an unconfirmed report of money if the Owner has already credited the payment without the provider's
  // confirmation.
  if (fact.type === 'challenged' && fact.claim && before.unconfirmedSince !== null) return
  const event = interpretInquiry({ reference, providerPaymentId: 'p', fact }, before, before, {
    now,
    publicUrl: 'http://localhost',
  })
  if (fact.type === 'paid') {
    reportReceipt(world.held, fact.receipt ?? '', fact.amountPaid)
    world.held.unconfirmed = 0n
  } else if (before.unconfirmedSince !== null) {
    if (event?.type === 'reversed') world.held.unconfirmed = 0n
  } else if (event?.type === 'reversed') takeBack(world.held, before.receipt ?? '')
  if (event) record(world, event)
}

function receiveReturn(world: World, reported: MoneyReturn): void {
  const requested = refundOfReport(world.batch, key, reported)
  // The provider may still return money to the payer after a requested refund has failed. The service treats this
  // returned money as another refund.
  const isOther =
    !requested ||
    (requested.status === 'failed' &&
      (isReported(world.held, reported, requested) || isNews(requested, reported)))
  if (isOther) reportReturn(world.held, reported)
  const about = { ...report({ type: 'expired' }), reportedReturns: { reference, returns: [reported] } }
  recordReturns(world.batch, about, { kind: 'ignored', payment: current(world) })
}

/** Returns whether the provider has already reported that it returned the money of this failed refund after all. */
function isReported(
  { returns }: Held,
  { id }: MoneyReturn,
  { providerRefundId, amount }: PaymentRefund,
): boolean {
  const names = [...returns.keys()].filter(name => name.startsWith('refund'))
  if (names.includes(`refund ${id}`)) return true
  const unlisted = names.some(name => name !== 'refund') ? undefined : returns.get('refund')
  return (
    unlisted !== undefined &&
    unlisted.status !== 'failed' &&
    unlisted.amount === amount &&
    providerRefundId === null
  )
}

/** Returns whether a report about a failed refund may show that the provider returned the refund's money after all. */
const isNews = (refund: PaymentRefund, { status }: MoneyReturn): boolean =>
  status === 'succeeded'
    ? refund.succeededAt === null
    : status === 'pending' && refund.providerRefundId === null && !refund.failedAtProvider

/**
 * Simulates that the Owner (the operator) credits a payment without the provider's confirmation, while the
 * provider still holds the payment for review.
 */
function creditUnconfirmed(world: World): void {
  const before = current(world)
  if (before.status !== 'challenged' || before.amountReceived !== null) return
  world.held.unconfirmed = before.amount
  record(world, {
    type: 'paid',
    amountPaid: before.amount,
    paidAt: now,
    reference,
    unconfirmed: 'sure of it',
  })
}

export type Verb = 'accept' | 'refund' | 'dismiss'
type OwnerDecision = { index: number; verb: Verb; amount: bigint | undefined; isSent?: boolean }
type RefundOutcome = { settled: number; event: RefundEvent }

function decide(world: World, { index, verb, amount, isSent = false }: OwnerDecision): void {
  const all = records(world)
  const found = all[index % all.length]
  if (!found) return
  const money: UnexpectedMoneyRow = {
    ...found,
    ...{ paymentCode: payment.paymentCode, refundStatus: null },
    refundId:
      operatorRefunds(world).findLast(({ refundedMoneyId }) => refundedMoneyId === found.id)?.id ?? null,
  }
  const decision = decisionOn(world, money, { verb, amount, isSent })
  if (!decision) return
  noteDecision(world, money, decision)
  const { event, debit, refund, matched, ...fields } = decision
  const after = { ...found, ...fields, decidedAt: now, reason: 'decided' }
  world.batch.putRecords([
    after,
    ...(matched ? [{ ...matched, status: 'dismissed' as const, decidedAt: now }] : []),
  ])
  if (debit !== undefined) recordReturnedRefund(world.batch, key, after, { cause: 'owner', reason: 'why' })
  if (event) record(world, event)
  if (refund) recordRefund(world.batch, undefined, refund, 'owner')
}

const account = { bank: 'BCA', number: '1', holder_name: 'Budi' }

/**
 * Adds the planned refund to the Owner's decision. If the provider cannot refund the payment, the refund is a bank
 * transfer. However, if `isSent` is true, the refund is sent to the provider anyway.
 */
function withRefund(
  { batch }: World,
  money: UnexpectedMoney,
  { refund: returned, ...decision }: RefundDecision,
  isSent: boolean,
): DecisionToApply {
  if (!returned) return decision
  const payment = batch.paymentOf(key)
  const facts = { records: batch.recordsOf(key), refunds: batch.refundsOf(key), at: now }
  const attempt = { provider: midtrans, payment, isOwnOrder: true }
  const plan = (bankAccount?: typeof account) =>
    planRefund({ money, payment, attempt, ...facts }, returned, { bankAccount, reason: 'why' })
  try {
    return { ...decision, ...plan() }
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    const { refund } = plan(account)
    return { ...decision, refund: isSent ? { ...refund, method: 'provider', bankAccount: null } : refund }
  }
}

export const refundsOf = ({ batch }: World): PaymentRefund[] => batch.refundsOf(key)
/** Returns the refunds that the Owner (the operator) decided on, in decision order. */
export const operatorRefunds = (world: World): PaymentRefund[] =>
  refundsOf(world).filter(({ origin }) => origin === 'operator')

/**
 * Applies the outcome of the Owner's refund, which comes from the provider's response, a status inquiry, or the
 * Owner's decision.
 */
function settle(world: World, { settled, event }: RefundOutcome): void {
  const all = operatorRefunds(world)
  const refund = all[settled % all.length]
  if (refund) recordRefund(world.batch, refund, applyRefundEvent(refund, event, now).refund, 'inquiry')
}

/** Returns the effects of the Owner's decision, or undefined if the service rejects it. */
function decisionOn(
  world: World,
  money: UnexpectedMoneyRow,
  { verb, amount, isSent }: Pick<OwnerDecision, 'verb' | 'amount'> & { isSent: boolean },
): DecisionToApply | undefined {
  const { batch } = world
  const payment = batch.paymentOf(key)
  const isSeparatelyCredited = batch.transfers.some(
    ({ unexpectedMoneyId, refundId, to }) =>
      unexpectedMoneyId === money.id && to === 'merchant' && refundId === undefined,
  )
  try {
    if (verb === 'accept')
      return decideAcceptance(money, payment, {
        amount: isReturn(money) && money.amount === null ? (amount ?? 100n) : undefined,
        reason: 'why',
      })
    if (verb === 'dismiss') return decideDismissal(money)
    const facts = { records: batch.recordsOf(key), isSeparatelyCredited }
    return withRefund(world, money, decideRefund(money, payment, facts, { amount, reason: 'why' }), isSent)
  } catch (error) {
    if (error instanceof GatewayError) return undefined
    throw error
  }
}

/** Applies the Owner's decision to `held`, the test's model of the money the provider holds. */
function noteDecision(
  { held }: World,
  money: UnexpectedMoneyRow,
  { status, refund, matched, amount }: DecisionToApply,
): void {
  const id = returnName(money)
  const known = held.returns.get(id)
  if (status === 'dismissed' && known) known.dismissed = known.status
  if (isReturn(money) && known && amount !== undefined) known.amount = amount
  // By accepting this record, the Owner confirms that the provider received the money.
  if (money.kind === 'unconfirmed' && !money.credited && status === 'accepted')
    reportReceipt(held, money.receipt, money.fromAmount + (money.amount ?? 0n))
  const reported = matched && held.returns.get(returnName(matched))
  if (reported) reported.dismissed = reported.status
  if (refund) {
    const receipt = refund.source === 'uncredited' ? money.receipt : null
    held.refunds.set(refund.id, { amount: refund.amount, receipt })
  }
}

export type Step =
  | Fact
  | MoneyReturn
  | OwnerDecision
  | RefundOutcome
  | { own: number; status: MoneyReturn['status'] }
  | 'unconfirmed'

export function takeStep(world: World, step: Step): void {
  if (step === 'unconfirmed') creditUnconfirmed(world)
  else if ('verb' in step) decide(world, step)
  else if ('settled' in step) settle(world, step)
  else if ('own' in step) {
    const refund = operatorRefunds(world)[step.own]
    const { reference, amount } = refund ?? {}
    if (refund?.method === 'provider' && reference !== undefined && amount !== undefined)
      receiveReturn(world, { kind: 'refund', id: `own ${step.own}`, reference, amount, status: step.status })
  } else if ('type' in step) receiveFact(world, step)
  else receiveReturn(world, step)
  for (const { id, status } of operatorRefunds(world)) if (status === 'failed') world.held.refunds.delete(id)
}
