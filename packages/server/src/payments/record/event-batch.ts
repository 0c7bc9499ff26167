// The state of a batch of events: the payments after the events so far, and the rows to write at the end.

import type { Tx } from '../../db/db.ts'
import type { Balance, Posting } from '../../ledger/posting.ts'
import type { MoneyReturn } from '../../providers/provider.ts'
import { type Cents, MAX_SUM } from '../../values/money.ts'
import type { WebhookEvent } from '../../webhooks/event.ts'
import type { StartedAttempt } from '../attempt.sql.ts'
import type { Change, PaymentKey, Transition } from '../payment.sql.ts'
import type { Payment, PaymentEvent } from '../payment.ts'
import type { Applied } from './transitions.ts'
import { listRecordsOfPayments } from './unexpected-money.sql.ts'
import type { UnexpectedMoney } from './unexpected-money.ts'

export type EventToRecord = {
  tenantId: string
  paymentId: string
  /** The event to apply. It is a function if the event depends on the locked payment, for example on its amount. */
  event: PaymentEvent | ((payment: Payment) => PaymentEvent | undefined)
  /**
   * The refunds and chargebacks that the provider's update lists, and the reference of the order that the update is
   * for.
   */
  reportedReturns?: { reference: string; returns: MoneyReturn[] }
  /** The source of the event, shown in the timeline: `callback`, `inquiry`, `merchant`, … */
  cause: string
  /**
   * The description to show in the timeline. If absent, the timeline shows the event's own description or the
   * `failure_reason`.
   */
  detail?: string
}

/**
 * The result of recording an event. `ignored`: there was no event to apply. `set_aside`: the event only affected a
 * record that waits for the Owner's decision.
 */
export type Recorded =
  | Applied
  | { kind: 'ignored'; payment: Payment }
  | { kind: 'set_aside'; payment: Payment; reason: string }

/** Records one event of a payment. Concurrent calls share a transaction (payments/record/record-event.ts). */
export type RecordInBatch = (event: EventToRecord) => Promise<Recorded>

export type Batch = {
  at: Date
  touched: Map<string, Change>
  transitions: Transition[]
  attempts: StartedAttempt[]
  postings: Posting[]
  events: WebhookEvent[]
  /** Returns the payment as it is after the events applied so far. Throws if the payment was not locked. */
  paymentOf(key: PaymentKey): Payment
  setPayment(before: Payment, after: Payment): void
  /** Returns the payment's records of unexpected money, including those that this batch created. */
  recordsOf(key: PaymentKey): UnexpectedMoney[]
  putRecords(records: UnexpectedMoney[]): void
  changedRecords(): { inserted: UnexpectedMoney[]; updated: UnexpectedMoney[] }
  payments(): Payment[]
  /**
   * Returns how many more cents the balance can be credited with before it reaches its maximum, after the postings so
   * far.
   */
  creditableAmount(posting: Posting): Cents
  addPosting(posting: Posting): void
  /** The payments that were not credited because the balance would have exceeded its maximum. */
  withheld: Payment[]
  isLoaded: boolean
  addLoaded(records: UnexpectedMoney[]): void
}

/** `balances` are the balances of the tenants of the locked payments. */
export function newBatch(locked: Payment[], at: Date, balances: Balance[] = []): Batch {
  const payments = new Map(locked.map(payment => [keyOf(payment.tenantId, payment.id), payment]))
  const records = new Map<string, UnexpectedMoney>()
  const known = new Set<string>()
  const changed = new Set<string>()
  const touched = new Map<string, Change>()
  const postings: Posting[] = []
  const placeOf = ({ tenantId, mode }: Pick<Balance, 'tenantId' | 'mode'>) => `${tenantId}/${mode}`
  const balanceAfter = new Map(balances.map(each => [placeOf(each), each.balance]))
  const balanceOf = (posting: Posting): Cents => balanceAfter.get(placeOf(posting)) ?? 0n
  return {
    ...{ at, touched, transitions: [], attempts: [], postings, events: [], withheld: [], isLoaded: false },
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
    payments: () => [...payments.values()],
    creditableAmount: posting => MAX_SUM - balanceOf(posting),
    addPosting(posting) {
      const { entryType, amount } = posting
      postings.push(posting)
      balanceAfter.set(placeOf(posting), balanceOf(posting) + (entryType === 'credit' ? amount : -amount))
    },
    addLoaded(loaded) {
      for (const record of loaded) {
        known.add(record.id)
        records.set(record.id, record)
      }
    },
  }
}

/**
 * Loads the records of unexpected money of all payments in the batch, once. Records that this batch created are not in
 * the database yet and are kept.
 */
export async function loadRecords(tx: Tx, batch: Batch): Promise<void> {
  if (batch.isLoaded) return
  batch.isLoaded = true
  const keys = batch.payments().map(({ tenantId, id }) => ({ tenantId, paymentId: id }))
  batch.addLoaded(await listRecordsOfPayments(tx, keys))
}

const keyOf = (tenantId: string, paymentId: string): string => `${tenantId}/${paymentId}`
