// Records received and returned money whose order reference matches no payment. The operator decides what happens
// to it, for example by assigning it to a payment.

import type { Tx } from '../../db/db.ts'
import { lockBalances } from '../../ledger/ledger.sql.ts'
import type { ProviderUpdate } from '../../providers/provider.ts'
import type { Mode } from '../../values/mode.ts'
import { lockPayments, type PaymentKey } from '../payment.sql.ts'
import type { EventToRecord } from './event-batch.ts'
import { grownRecord, recordedReceipt } from './plan-received-money.ts'
import { planReturnedMoney } from './plan-returned-money.ts'
import { recordEvents } from './record-event.ts'
import { recordRefundEvent } from './record-refund-event.ts'
import { eventOfReturn, recordCorrectedReturn } from './record-returns.ts'
import { listRefundsOfPayments } from './refund.sql.ts'
import type { PaymentRefund, RefundEvent } from './refund.ts'
import {
  insertUnexpectedMoney,
  listAssignedOfReferences,
  lockRecordsOfReferences,
  updateUnexpectedMoney,
} from './unexpected-money.sql.ts'
import { isReturn, isUndecided, newRecord, type UnexpectedMoney } from './unexpected-money.ts'

export type UnmatchedMoney = {
  provider: string
  providerAccountId: string
  mode: Mode
  update: ProviderUpdate
}

/** Returns whether the provider's update reports money as received or returned. */
export const isAboutMoney = ({ fact, returns = [] }: Pick<ProviderUpdate, 'fact' | 'returns'>): boolean =>
  fact.type === 'paid' || returns.length > 0

const referencesOf = (unclaimed: UnmatchedMoney[]) =>
  unclaimed.map(({ providerAccountId, update }) => ({ providerAccountId, reference: update.reference }))

/**
 * Locks the payments `others` and every row that `recordUnmatchedMoney` can change. Call this function before recording
 * events for `others`. All transactions, such as the operator's decision (inbox/apply-decision.ts), lock payments
 * first, then records of unexpected money, and balances last. They therefore cannot deadlock.
 */
export async function lockUnmatchedMoney(
  tx: Tx,
  unclaimed: UnmatchedMoney[],
  others: PaymentKey[],
): Promise<void> {
  const references = referencesOf(unclaimed)
  const assigned = await listAssignedOfReferences(tx, references)
  const payments = await lockPayments(tx, [...others, ...assigned])
  await lockRecordsOfReferences(tx, references)
  if (assigned.length > 0) await lockBalances(tx, payments)
}

/**
 * Records received money, refunds and chargebacks once, even if they are reported repeatedly:
 *
 * - If a larger amount of received money is reported later, the difference is recorded.
 * - If a debited refund or chargeback did not happen, its amount is credited back.
 * - If only the debited amount was wrong, this amount is credited back, and then the right amount is debited. If less
 *   than the right amount is left of the payment, nothing is debited.
 */
export async function recordUnmatchedMoney(tx: Tx, unclaimed: UnmatchedMoney[], at: Date): Promise<void> {
  const keys = referencesOf(unclaimed)
  // The records are read after the batch's other events are stored, because these events may have changed the records.
  const assigned = await listAssignedOfReferences(tx, keys)
  if (assigned.length > 0) await lockPayments(tx, assigned)
  const refunds = assigned.length > 0 ? await listRefundsOfPayments(tx, assigned) : []
  const refundOf = (id: string) => refunds.find(refund => refund.unexpectedMoneyId === id)
  const refundEvents: { refund: PaymentRefund; event: RefundEvent }[] = []
  const known = await lockRecordsOfReferences(tx, keys)
  const events: EventToRecord[] = []
  const knownIds = new Set(known.map(({ id }) => id))
  const records = new Map(known.map(record => [record.id, record]))
  const changed = new Set<string>()
  const put = (each: UnexpectedMoney) => {
    records.set(each.id, each)
    changed.add(each.id)
  }
  for (const { update, ...account } of unclaimed) {
    const { reference, fact, returns = [] } = update
    const own = [...records.values()].filter(
      record => record.providerAccountId === account.providerAccountId && record.reference === reference,
    )
    if (fact.type === 'paid') {
      const receipt = fact.receipt ?? ''
      const fields = { receipt, amount: null, credited: false, paidAt: fact.paidAt ?? at }
      const ofReceipt = recordedReceipt(
        own.filter(record => record.receipt === receipt && !isReturn(record)),
        0n,
      )
      const open = () => newRecord({ ...account, kind: 'unknown_reference', reference, ...fields }, at)
      if (fact.amountPaid > ofReceipt.covered) put(grownRecord(ofReceipt, fact.amountPaid, open))
    }
    const open: Parameters<typeof planReturnedMoney>[2] = fields =>
      newRecord({ ...account, reference, credited: false, paidAt: at, ...fields }, at)
    const { records: returned, undone } = planReturnedMoney({ reference, returns }, own, open, at)
    for (const record of returned) {
      put(record)
      const refund = refundOf(record.id)
      if (refund) refundEvents.push({ refund, event: eventOfReturn(record) })
    }
    // An earlier version of the service debited refunds and chargebacks without creating a refund. Such a debit is
    // undone by a payment event that credits the money back.
    for (const event of undone)
      if (!refundOf(event.unexpectedMoneyId))
        events.push({ ...paymentOf(records, event.unexpectedMoneyId), event, cause: 'callback' })
  }
  const all = [...changed].flatMap(id => records.get(id) ?? [])
  const [updated, inserted] = [
    all.filter(({ id }) => knownIds.has(id)),
    all.filter(({ id }) => !knownIds.has(id)),
  ]
  if (inserted.length > 0) await insertUnexpectedMoney(tx, inserted)
  if (updated.length > 0) await updateUnexpectedMoney(tx, updated)
  if (events.length > 0) await recordEvents(tx, events, at)
  for (const { refund, event } of refundEvents)
    await recordRefundEvent(tx, refund, event, { cause: 'callback', at })
  for (const record of inserted.filter(isReplacement))
    await recordCorrectedReturn(tx, paymentOf(records, record.id), record, { cause: 'callback', at })
}

/**
 * Returns whether a new record replaces a record that the operator assigned to a payment. Other new records have no
 * `paymentId`, because their order reference matches no payment.
 */
const isReplacement = (record: UnexpectedMoney): boolean =>
  record.paymentId !== null && isReturn(record) && isUndecided(record)

function paymentOf(records: ReadonlyMap<string, UnexpectedMoney>, id: string): PaymentKey {
  const { tenantId = null, paymentId = null } = records.get(id) ?? {}
  if (tenantId === null || paymentId === null)
    throw new Error(`the unexpected money in record ${id} was debited, but the record belongs to no payment`)
  return { tenantId, paymentId }
}
