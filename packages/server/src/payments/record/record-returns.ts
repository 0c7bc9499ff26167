// Records the refunds and chargebacks (returns) that a provider reports for an order. If this service requested the
// refund, the report updates it. Any other return is debited immediately, if its amount is known and is not larger
// than the payment's remaining amount.

import type { Tx } from '../../db/db.ts'
import type { MoneyReturn } from '../../providers/provider.ts'
import type { Cents } from '../../values/money.ts'
import { lockPaymentsWithBalances, type PaymentKey } from '../payment.sql.ts'
import type { Payment } from '../payment.ts'
import {
  type Batch,
  type EventToRecord,
  loadRecords,
  loadTotals,
  newBatch,
  type Recorded,
  type ReportedReturns,
} from './event-batch.ts'
import { newRefund } from './new-refund.ts'
import { mayBeOutdated, namedFirst, recordOwnRefund, refundOfReport } from './own-refund-report.ts'
import { creditOfPayment } from './plan-received-money.ts'
import { planReturnedMoney } from './plan-returned-money.ts'
import { recordRefund } from './record-refund.ts'
import { recordStep, setAsideReason } from './record-step.ts'
import { applyRefundEvent, type PaymentRefund, type RefundEvent } from './refund.ts'
import {
  debitedReturn,
  isReceived,
  isReturn,
  isUndecided,
  newRecord,
  paymentFields,
  type UnexpectedMoney,
} from './unexpected-money.ts'
import { writeBatch } from './write-batch.ts'

type Report = Omit<EventToRecord, 'reportedReturns'> & { reportedReturns?: ReportedReturns | undefined }

/**
 * Records the refunds and chargebacks ("returns") in a provider's report, after the report's main event, such as
 * `paid`. `recorded` is the result of recording that event. The payment's refunds and records of unexpected money must
 * already be loaded.
 */
export function recordReturns(batch: Batch, report: Report, recorded: Recorded): Recorded {
  const { reportedReturns: returned, ...input } = report
  if (!returned) return recorded
  const { reference } = returned
  const returns = namedFirst(batch, input, returned.returns).filter(
    each => !recordOwnRefund(batch, input, reference, each),
  )
  const payment = batch.paymentOf(input)
  const open = (fields: Parameters<Parameters<typeof planReturnedMoney>[2]>[0]) =>
    newRecord(
      { ...paymentFields(payment), reference, credited: false, paidAt: batch.at, ...fields },
      batch.at,
    )
  const { records: planned, undone } = planReturnedMoney(
    { reference, returns },
    batch.recordsOf(input),
    open,
    batch.at,
  )
  batch.putRecords(planned)
  const unconfirmed = (returned.unconfirmed ?? []).filter(each => isNew(batch, input, { reference, each }))
  const records = [...planned, ...unconfirmed.map(each => open(unconfirmedFields(each)))]
  batch.putRecords(records.slice(planned.length))
  const refundOf = (id: string) => batch.refundsOf(input).find(refund => refund.unexpectedMoneyId === id)
  for (const record of planned) {
    const refund = refundOf(record.id)
    if (!refund) continue
    recordRefund(batch, refund, applyRefundEvent(refund, eventOfReturn(record), batch.at).refund, input.cause)
  }
  markReportedAgain(batch, input, { reference, returns })
  // Undoes debits from an earlier version of the service, which debited refunds and chargebacks without creating a
  // refund. For such a debit, an event credits the money back.
  for (const event of undone) if (!refundOf(event.unexpectedMoneyId)) recordStep(batch, input, event)
  const debited = debitReturns(batch, input, { reference, returns })
  const waiting = records.find(({ id }) =>
    batch.recordsOf(input).some(each => each.id === id && isUndecided(each)),
  )
  if (recorded.kind === 'changed') return { ...recorded, payment: batch.paymentOf(input) }
  if (waiting) return { kind: 'set_aside', payment: batch.paymentOf(input), reason: setAsideReason(waiting) }
  const [first] = debited
  return first
    ? { kind: 'changed', from: payment.status, payment: batch.paymentOf(input) }
    : { ...recorded, payment: batch.paymentOf(input) }
}

/**
 * Changes `updatedAt` of a debited chargeback without an ID when it is reported again. The operator may be recording
 * the chargeback as won at the same time (resolve-chargeback.ts). The new time then shows that the inquiry behind this
 * decision is outdated.
 */
function markReportedAgain(batch: Batch, input: PaymentKey, { reference, returns }: Reported): void {
  const reported = returns.filter(
    ({ kind, id, status }) => kind === 'chargeback' && !id && status !== 'failed',
  )
  for (const refund of batch.refundsOf(input)) {
    if (refund.origin !== 'chargeback' || refund.status === 'failed') continue
    const record = batch.recordsOf(input).find(({ id }) => id === refund.unexpectedMoneyId)
    if (!record || !reported.some(each => isRecordOf(record, reference, each))) continue
    // The clocks of two processes can differ. The new `updatedAt` is therefore always later than the previous
    // one, even if this clock is behind.
    const updatedAtMs = Math.max(batch.at.getTime(), refund.updatedAt.getTime() + 1)
    batch.putRefund({ ...refund, updatedAt: new Date(updatedAtMs) })
  }
}
type Reported = { reference: string; returns: MoneyReturn[] }

/**
 * Returns whether the unconfirmed report is about a refund or chargeback that is not stored yet. Reports about stored
 * refunds and records are excluded, because an unconfirmed report must not change them.
 */
const isNew = (
  batch: Batch,
  input: PaymentKey,
  { reference, each }: { reference: string; each: MoneyReturn },
): boolean =>
  each.status !== 'failed' &&
  refundOfReport(batch, input, each) === undefined &&
  !batch.recordsOf(input).some(record => isRecordOf(record, reference, each))

const isRecordOf = (record: UnexpectedMoney, reference: string, { kind, id }: MoneyReturn): boolean =>
  record.kind === kind && record.reference === reference && record.receipt === (id ?? '')

const unconfirmedFields = ({ kind, id, amount, status }: MoneyReturn) => ({
  kind,
  receipt: id ?? '',
  amount: amount !== null && amount > 0n ? amount : null,
  returnStatus: status,
  round: 1,
})

/**
 * Converts the changed record of a reported refund to the corresponding event of the refund: failed,
 * succeeded or accepted.
 */
export function eventOfReturn({ status, returnStatus, receipt, reason }: UnexpectedMoney): RefundEvent {
  if (status === 'dismissed') return { type: 'failed', reason: reason ?? 'dismissed' }
  const providerRefundId = receipt || null
  return { type: returnStatus === 'succeeded' ? 'succeeded' : 'accepted', providerRefundId }
}

/**
 * Debits the reported refunds and chargebacks that have a known amount and are not decided on yet, even if the balance
 * becomes negative. A refund or chargeback that exceeds the payment's remaining amount is not debited. It awaits the
 * operator's decision, because the report may be forged or repeated.
 */
function debitReturns(
  batch: Batch,
  input: EventToRecord,
  { reference, returns }: { reference: string; returns: MoneyReturn[] },
): PaymentRefund[] {
  const { status } = batch.paymentOf(input)
  if (status !== 'paid') return []
  // The record may come from an unconfirmed report. It is therefore debited only if this report is about the same
  // refund or chargeback. In addition, the record's amount must not be larger than the amount in this report.
  const isReported = (record: UnexpectedMoney) =>
    returns.some(
      each =>
        isRecordOf(record, reference, each) &&
        each.amount !== null &&
        (record.amount ?? 0n) <= each.amount &&
        !mayBeOutdated(batch, input, each),
    )
  const due = batch
    .recordsOf(input)
    .filter(record => isReturn(record) && isUndecided(record) && record.amount !== null && isReported(record))
    .filter(record => !mayReturnOtherMoney(batch, input, record) && !wasDismissed(batch, input, record))
  return due.flatMap(record => {
    if ((record.amount ?? 0n) > amountLeft(batch, input)) return []
    batch.putRecords([debitedReturn(record, batch.at)])
    return [recordReturnedRefund(batch, input, record, { cause: input.cause, reason: '' })]
  })
}

/**
 * Returns how much of the payment's credited money is left after refunds, chargebacks and reversals. The amount left in
 * the ledger is the upper limit, because the database rejects larger automatic debits (migration 0117).
 */
function amountLeft(batch: Batch, key: PaymentKey): Cents {
  const [ofRecords, ofLedger] = [leftInRecords(batch, key), batch.totalOf(key)]
  return ofLedger !== undefined && ofLedger < ofRecords ? ofLedger : ofRecords
}

function leftInRecords(batch: Batch, key: PaymentKey): Cents {
  const refunds = batch.refundsOf(key)
  const records = batch.recordsOf(key)
  const standing = refunds.filter(({ status, source }) => status !== 'failed' && source !== 'uncredited')
  // An earlier version of the service debited reported refunds and chargebacks without creating a refund.
  const withoutRefund = records.filter(
    record =>
      isReturn(record) &&
      record.status === 'accepted' &&
      !refunds.some(({ unexpectedMoneyId }) => unexpectedMoneyId === record.id),
  )
  const returned = [...standing, ...withoutRefund].reduce((sum, { amount }) => sum + (amount ?? 0n), 0n)
  return creditOfPayment(batch.paymentOf(key), records) - returned
}

/**
 * Returns whether the operator must review a reported refund before it is debited. This is the case if the refund may
 * have returned other money:
 *
 * - Money that was never credited.
 * - Money that a manual refund has already debited. The operator may have made this refund at the provider instead of
 *   by bank transfer.
 * - Money that an earlier version refunded without a record.
 */
function mayReturnOtherMoney(batch: Batch, key: PaymentKey, returned: UnexpectedMoney): boolean {
  if (returned.kind !== 'refund') return false
  const refunds = batch.refundsOf(key)
  const hasManual = refunds.some(
    ({ method, status, amount }) => method === 'manual' && status !== 'failed' && amount === returned.amount,
  )
  return (
    hasManual ||
    batch
      .recordsOf(key)
      .filter(record => isReceived(record))
      .some(record =>
        record.status === 'refunded'
          ? !refunds.some(({ refundedMoneyId }) => refundedMoneyId === record.id)
          : isUndecided(record) && record.amount === returned.amount,
      )
  )
}

/**
 * Returns whether the operator dismissed this refund or chargeback while it was pending. Its success then needs a new
 * decision. A record that the service itself replaced because of a corrected amount does not count. Such a record was
 * dismissed at the time when the new record was created.
 */
const wasDismissed = (batch: Batch, key: PaymentKey, returned: UnexpectedMoney): boolean =>
  batch
    .recordsOf(key)
    .some(
      earlier =>
        earlier.kind === returned.kind &&
        earlier.reference === returned.reference &&
        earlier.status === 'dismissed' &&
        !earlier.credited &&
        earlier.returnStatus !== 'failed' &&
        earlier.decidedAt !== null &&
        earlier.decidedAt < returned.createdAt &&
        isEarlierRound(earlier, returned),
    )

/** Returns whether `earlier` is the previous record of a refund or chargeback, maybe from before its ID was known. */
const isEarlierRound = (earlier: UnexpectedMoney, { receipt, round, amount }: UnexpectedMoney): boolean =>
  earlier.receipt === receipt
    ? earlier.round === round - 1
    : earlier.receipt === '' && round === 1 && (earlier.amount === null || earlier.amount === amount)

/** Creates a refund for the record of a reported refund or chargeback, and debits this refund. */
export function recordReturnedRefund(
  batch: Batch,
  key: PaymentKey,
  record: UnexpectedMoney,
  { cause, reason }: { cause: string; reason: string },
): PaymentRefund {
  const refund = refundOfRecord(batch.paymentOf(key), record, batch.refundsOf(key), batch.at)
  recordRefund(batch, undefined, { ...refund, reason }, cause)
  return refund
}

/**
 * Debits a stored refund or chargeback with a corrected amount, which replaces the refund or chargeback that the
 * operator had assigned to the payment. If the corrected amount exceeds the payment's remaining amount, nothing is
 * debited and the operator decides.
 */
export async function recordCorrectedReturn(
  tx: Tx,
  key: PaymentKey,
  record: UnexpectedMoney,
  { cause, at }: { cause: string; at: Date },
): Promise<void> {
  const { payments, balances } = await lockPaymentsWithBalances(tx, [key])
  const batch = newBatch(payments, at, balances)
  await loadRecords(tx, batch)
  await loadTotals(tx, batch)
  if ((record.amount ?? 0n) > amountLeft(batch, key)) return
  batch.putRecords([debitedReturn(record, at)])
  recordReturnedRefund(batch, key, record, { cause, reason: '' })
  await writeBatch(tx, batch)
}

/**
 * Debits a payment's refund or chargeback that the operator accepted. It was not debited when it was reported, for one
 * of two reasons. Its amount or payment was unknown, or it may concern money that was not credited to the payment.
 */
export async function recordAcceptedReturn(
  tx: Tx,
  key: PaymentKey,
  record: UnexpectedMoney,
  { cause, reason, at }: { cause: string; reason: string; at: Date },
): Promise<void> {
  const { payments, balances } = await lockPaymentsWithBalances(tx, [key])
  const batch = newBatch(payments, at, balances)
  await loadRecords(tx, batch)
  recordReturnedRefund(batch, key, record, { cause, reason })
  await writeBatch(tx, batch)
}

function refundOfRecord(
  payment: Payment,
  record: UnexpectedMoney,
  others: PaymentRefund[],
  at: Date,
): PaymentRefund {
  const isFinal = record.returnStatus === 'succeeded'
  return newRefund(
    payment,
    others,
    {
      amount: record.amount ?? 0n,
      status: isFinal ? 'succeeded' : 'pending',
      method: 'provider',
      origin: record.kind === 'chargeback' ? 'chargeback' : 'provider',
      provider: record.provider,
      providerAccountId: record.providerAccountId,
      providerRefundId: record.receipt || null,
      unexpectedMoneyId: record.id,
      succeededAt: isFinal ? at : null,
    },
    at,
  )
}
