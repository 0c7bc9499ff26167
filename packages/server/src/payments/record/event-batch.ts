// The state of a batch while its payment events are applied. It contains the changed payments and the rows to write to
// the database at the end.

import type { Tx } from '../../db/db.ts'
import { listFeeCharges } from '../../fees/fee-charge.sql.ts'
import { type FeeCharge, feeChargeFor, type PostedFee } from '../../fees/fee-charge.ts'
import { feeChangeFor, feeReturnFor, returnsFees } from '../../fees/returned-fee.ts'
import { listPaymentTotals, type PaymentTotal } from '../../ledger/payment-total.sql.ts'
import { type Balance, merchantChange, type Transfer } from '../../ledger/transfer.ts'
import type { MoneyReturn } from '../../providers/provider.ts'
import { type Cents, MAX_SUM } from '../../values/money.ts'
import type { WebhookEvent } from '../../webhooks/event.ts'
import type { StartedAttempt } from '../attempt.sql.ts'
import type { Change, PaymentKey, Transition } from '../payment.sql.ts'
import type { Payment, PaymentEvent } from '../payment.ts'
import { listRefundsOfPayments } from './refund.sql.ts'
import type { PaymentRefund } from './refund.ts'
import type { Applied } from './transitions.ts'
import { listRecordsOfPayments } from './unexpected-money.sql.ts'
import type { UnexpectedMoney } from './unexpected-money.ts'

export type EventToRecord = {
  tenantId: string
  paymentId: string
  /** The event to apply, or a function that derives it from the locked payment, such as from the payment's amount. */
  event: PaymentEvent | ((payment: Payment) => PaymentEvent | undefined)
  /**
   * The refunds and chargebacks in the provider's update, or a function that derives them from the payment after its
   * database row was locked.
   */
  reportedReturns?: ReportedReturns | ((payment: Payment) => ReportedReturns)
  /** The source of the event, which the timeline shows: `callback`, `inquiry`, `merchant`, … */
  cause: string
  /**
   * The payment as the caller last read it. If it has not changed since then, a single statement records the
   * charge's outcome (record-known.ts).
   */
  known?: Payment
  /**
   * The event's description in the timeline. If it is absent, the timeline shows the description in the event itself,
   * or the `failure_reason`.
   */
  detail?: string
}

/** The refunds and chargebacks ("returns") that a provider reported for the order with the given reference. */
export type ReportedReturns = {
  reference: string
  returns: MoneyReturn[]
  /**
   * Refunds and chargebacks that the provider did not confirm and whose report could be forged. They never change a
   * balance, because each awaits the operator's decision.
   */
  unconfirmed?: MoneyReturn[]
}

/**
 * The result of a call that records an event. `ignored`: the call had no event to apply to the payment. `set_aside`:
 * the event changed only a record of unexpected money, which awaits the operator's decision.
 */
export type Recorded =
  | Applied
  | { kind: 'ignored'; payment: Payment }
  | { kind: 'set_aside'; payment: Payment; reason: string }

/** Records one payment event. Concurrent calls share a transaction (payments/record/record-event.ts). */
export type RecordInBatch = (event: EventToRecord) => Promise<Recorded>

/** The stored refunds, fees and records of unexpected money for the payments in a batch. */
type Loaded = {
  records: UnexpectedMoney[]
  refunds: PaymentRefund[]
  fees: FeeCharge[]
  /** The totals of the payments' ledger entries before this batch. */
  totals: PaymentTotal[]
}

export type Batch = {
  at: Date
  touched: Map<string, Change>
  transitions: Transition[]
  attempts: StartedAttempt[]
  transfers: Transfer[]
  fees: FeeCharge[]
  events: WebhookEvent[]
  /**
   * Returns the payment with all events that the batch has applied so far. Throws an error if the batch has
   * not locked the payment in the database.
   */
  paymentOf(key: PaymentKey): Payment
  setPayment(before: Payment, after: Payment): void
  /**
   * Returns the payment's records of unexpected money (money received or returned although the payment did not
   * expect it), including those created by this batch.
   */
  recordsOf(key: PaymentKey): UnexpectedMoney[]
  putRecords(records: UnexpectedMoney[]): void
  changedRecords(): { inserted: UnexpectedMoney[]; updated: UnexpectedMoney[] }
  /** Returns the payment's stored refunds and those that the events of this batch create. */
  refundsOf(key: PaymentKey): PaymentRefund[]
  putRefund(refund: PaymentRefund): void
  changedRefunds(): { inserted: PaymentRefund[]; updated: PaymentRefund[] }
  payments(): Payment[]
  /**
   * Returns how many cents can still be credited before the balance reaches its maximum. Takes into account the
   * transfers that this batch has already planned.
   */
  creditableAmount(of: Transfer): Cents
  addTransfer(added: Transfer): void
  /**
   * Returns the total of the payment's ledger entries without fees, including the entries that this batch adds. Returns
   * undefined if the stored entries are not loaded.
   */
  totalOf(key: PaymentKey): Cents | undefined
  /** Charges the fee for crediting a payment as part of this batch. Does nothing if the payment has no fee. */
  chargeFee(payment: Payment, credit: Cents): void
  /** Returns part of the payment's fee to the merchant after a refund, or charges it again if the refund failed. */
  changeFee(before: Payment, after: Payment, refund: PaymentRefund): void
  /** Returns everything that is still charged of the payment's fee to the merchant. */
  returnFee(payment: Payment): void
  /** Payments whose credit was withheld because it would have raised the balance above its maximum. */
  withheld: Payment[]
  isLoaded: boolean
  addLoaded(loaded: Partial<Loaded>): void
}

/**
 * Creates a batch for recording events of the payments in `locked`. The parameter `balances` contains the
 * balances of the tenants of these payments.
 */
export function newBatch(locked: Payment[], at: Date, balances: Balance[] = []): Batch {
  const payments = new Map(locked.map(payment => [keyOf(payment.tenantId, payment.id), payment]))
  const records = new Map<string, UnexpectedMoney>()
  const refunds = new Map<string, PaymentRefund>()
  const known = new Set<string>()
  const changed = new Set<string>()
  const touched = new Map<string, Change>()
  const transfers: Transfer[] = []
  const fees: FeeCharge[] = []
  const knownFees = new Map<string, FeeCharge>()
  const totals = new Map<string, Cents>()
  const placeOf = ({ tenantId, mode }: Pick<Balance, 'tenantId' | 'mode'>) => `${tenantId}/${mode}`
  const balanceAfter = new Map(balances.map(each => [placeOf(each), each.balance]))
  const balanceOf = (of: Transfer): Cents => balanceAfter.get(placeOf(of)) ?? 0n
  function addTransfer(added: Transfer): void {
    transfers.push(added)
    balanceAfter.set(placeOf(added), balanceOf(added) + merchantChange(added))
  }
  const feesOf = ({ tenantId, id }: Payment) =>
    [...knownFees.values()].filter(each => each.tenantId === tenantId && each.paymentId === id)
  const keepFee = (fee: FeeCharge) =>
    knownFees.set(`${keyOf(fee.tenantId, fee.paymentId)}/${fee.number}`, fee)
  function addFee(fee: PostedFee | undefined): void {
    if (!fee) return
    fees.push(fee.charge)
    keepFee(fee.charge)
    fee.transfers.forEach(addTransfer)
  }

  return {
    ...{
      at,
      touched,
      transitions: [],
      attempts: [],
      transfers,
      fees,
      events: [],
      withheld: [],
      isLoaded: false,
    },
    paymentOf({ tenantId, paymentId }) {
      const payment = payments.get(keyOf(tenantId, paymentId))
      if (!payment) throw new Error(`there is no payment ${paymentId}`)
      return payment
    },
    setPayment(before, payment) {
      const key = keyOf(payment.tenantId, payment.id)
      payments.set(key, payment)
      touched.set(key, { before: touched.get(key)?.before ?? before, payment })
    },
    recordsOf: ({ paymentId }) => [...records.values()].filter(record => record.paymentId === paymentId),
    putRecords(put) {
      for (const record of put) {
        records.set(record.id, record)
        changed.add(record.id)
      }
    },
    changedRecords() {
      const all = [...changed].flatMap(id => records.get(id) ?? [])
      return {
        inserted: all.filter(({ id }) => !known.has(id)),
        updated: all.filter(({ id }) => known.has(id)),
      }
    },
    refundsOf: ({ paymentId }) => [...refunds.values()].filter(refund => refund.paymentId === paymentId),
    putRefund(refund) {
      refunds.set(refund.id, refund)
      changed.add(refund.id)
    },
    changedRefunds() {
      const all = [...changed].flatMap(id => refunds.get(id) ?? [])
      return {
        inserted: all.filter(({ id }) => !known.has(id)),
        updated: all.filter(({ id }) => known.has(id)),
      }
    },
    payments: () => [...payments.values()],
    creditableAmount: of => MAX_SUM - balanceOf(of),
    addTransfer,
    totalOf({ tenantId, paymentId }) {
      const stored = totals.get(keyOf(tenantId, paymentId))
      return transfers
        .filter(each => each.tenantId === tenantId && each.paymentId === paymentId && !isFee(each))
        .reduce((sum, each) => (sum === undefined ? sum : sum + merchantChange(each)), stored)
    },
    chargeFee: (payment, credit) => addFee(feeChargeFor(payment, credit)),
    changeFee(before, after, { reference }) {
      if (after.amountPaid === null) return
      addFee(
        feeChangeFor(feesOf(after), {
          feeTerms: after.feeTerms,
          credit: after.amountPaid,
          refunded: { before: before.amountRefunded, after: after.amountRefunded },
          isReversed: after.reversedAt !== null,
          reference,
          number: after.transitionCount,
        }),
      )
    },
    returnFee(payment) {
      const { paymentCode, transitionCount: number } = payment
      addFee(feeReturnFor(feesOf(payment), { paymentCode, number }))
    },
    addLoaded(loaded) {
      for (const { tenantId, paymentId, total } of loaded.totals ?? [])
        totals.set(keyOf(tenantId, paymentId), total)
      for (const fee of loaded.fees ?? []) keepFee(fee)
      for (const record of loaded.records ?? []) {
        known.add(record.id)
        records.set(record.id, record)
      }
      for (const refund of loaded.refunds ?? []) {
        known.add(refund.id)
        refunds.set(refund.id, refund)
      }
    },
  }
}

/**
 * Loads the unexpected money records and the refunds of all payments in the batch. A repeated call loads nothing.
 * Records and refunds that the batch has created are kept, because they are not in the database yet.
 */
export async function loadRecords(tx: Tx, batch: Batch): Promise<void> {
  if (batch.isLoaded) return
  batch.isLoaded = true
  const keys = batch.payments().map(({ tenantId, id }) => ({ tenantId, paymentId: id }))
  batch.addLoaded({ records: await listRecordsOfPayments(tx, keys) })
  await loadRefunds(tx, batch)
}

/** Loads the refunds of all payments in the batch. For payments whose fees can be returned, also loads the fees. */
export async function loadRefunds(tx: Tx, batch: Batch): Promise<void> {
  const payments = batch.payments()
  const keys = payments.map(({ tenantId, id }) => ({ tenantId, paymentId: id }))
  const withReturns = payments.filter(mayReturnFee)
  batch.addLoaded({
    refunds: await listRefundsOfPayments(tx, keys),
    fees: withReturns.length === 0 ? [] : await listFeeCharges(tx, withReturns),
  })
}

/**
 * Returns whether the payment's fee can be returned: by a refund, depending on the fee schedule, or by the reversal of
 * a credit that the provider has not confirmed.
 */
const mayReturnFee = ({ feeTerms, unconfirmedSince }: Payment): boolean =>
  feeTerms !== null && (unconfirmedSince !== null || returnsFees(feeTerms))

/** Loads the totals of the ledger entries of all payments in the batch. */
export async function loadTotals(tx: Tx, batch: Batch): Promise<void> {
  const keys = batch.payments().map(({ tenantId, id }) => ({ tenantId, paymentId: id }))
  const none = keys.map(key => ({ ...key, total: 0n }))
  batch.addLoaded({ totals: [...none, ...(await listPaymentTotals(tx, keys))] })
}

const isFee = ({ from, to }: Transfer): boolean => from.startsWith('fee:') || to.startsWith('fee:')

const keyOf = (tenantId: string, paymentId: string): string => `${tenantId}/${paymentId}`
