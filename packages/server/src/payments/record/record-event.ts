// Writes a payment's status together with its ledger entry and webhook event. Only record-known.ts also writes a
// status, for events that move no money.
//
// Events are recorded in batches of one to several hundred. Each batch is one transaction with a constant number of
// statements. These statements lock and update the payments, store the webhooks and post to the ledger.

import { afterCommit } from '../../db/after-commit.ts'
import type { Tx } from '../../db/db.ts'
import { ledgerMetrics } from '../../ledger/ledger-metrics.ts'
import type { Logger } from '../../logging/log.ts'
import { lockPaymentsWithBalances } from '../payment.sql.ts'
import { countIfEnded } from './ended-payments.ts'
import {
  type Batch,
  type EventToRecord,
  loadRecords,
  loadTotals,
  newBatch,
  type Recorded,
} from './event-batch.ts'
import { paymentMetrics } from './payment-metrics.ts'
import { eventsInOrder, needsRecords } from './plan-received-money.ts'
import { recordReturns } from './record-returns.ts'
import { recordStep } from './record-step.ts'
import { traceChanges } from './trace-changes.ts'
import { writeBatch } from './write-batch.ts'

/**
 * Events that have been applied to the locked payments, but are not stored yet. `write` stores the changes and locks
 * the tenants' balances until the commit. The caller therefore calls `write` last, after writing all other data.
 */
export type PlannedEvents = { results: Recorded[]; write(): Promise<void> }

/**
 * Records events and returns their results in input order. Several events for one payment are applied in the same
 * order.
 */
export async function recordEvents(
  tx: Tx,
  inputs: EventToRecord[],
  at: Date,
  log?: Pick<Logger, 'error'>,
): Promise<Recorded[]> {
  const { results, write } = await planEvents(tx, inputs, at, log)
  await write()
  return results
}

/**
 * Locks the payments and applies the events to them, as `recordEvents` does, but stores nothing. The caller must
 * then call `write` to store the changes.
 */
export async function planEvents(
  tx: Tx,
  inputs: EventToRecord[],
  at: Date,
  log?: Pick<Logger, 'error'>,
): Promise<PlannedEvents> {
  const startedMs = Date.now()
  const { payments, balances } = await lockPaymentsWithBalances(tx, inputs)
  const batch = newBatch(payments, at, balances)
  const results: Recorded[] = []
  for (const input of inputs) results.push(await recordReport(tx, batch, input))
  return {
    results,
    async write() {
      const postedMs = await writeBatch(tx, batch)
      traceChanges(inputs, results, batch.transfers, { startedMs, postedMs })
      afterCommit(tx, () => {
        countChanges(results, at)
        for (const { tenantId, id, paymentCode, mode } of batch.withheld) {
          ledgerMetrics.withheld.inc({ mode })
          log?.error(
            { tenantId, paymentId: id, paymentCode, mode },
            "payment not credited: the tenant's balance would exceed 2^53 - 1 cents; the Owner must resolve the payment in the inbox",
          )
        }
      })
    },
  }
}

export function countChanges(results: readonly Recorded[], at: Date): void {
  for (const each of results)
    if (each.kind === 'changed') {
      paymentMetrics.transitions.inc({ to: each.payment.status, mode: each.payment.mode })
      if (each.from !== each.payment.status) countIfEnded(each.payment, at)
    }
}

async function recordReport(tx: Tx, batch: Batch, input: EventToRecord): Promise<Recorded> {
  const before = batch.paymentOf(input)
  const event = typeof input.event === 'function' ? input.event(before) : input.event
  const reportedReturns =
    typeof input.reportedReturns === 'function' ? input.reportedReturns(before) : input.reportedReturns
  const { returns = [], unconfirmed = [] } = reportedReturns ?? {}
  const hasReturns = returns.length + unconfirmed.length > 0
  const steps = event ? eventsInOrder(before, event) : []
  if (hasReturns || steps.some(step => needsRecords(before, step))) await loadRecords(tx, batch)
  if (hasReturns && batch.totalOf(input) === undefined) await loadTotals(tx, batch)
  let recorded: Recorded = { kind: 'ignored', payment: before }
  for (const step of steps) recorded = recordStep(batch, input, step)
  return hasReturns ? recordReturns(batch, { ...input, reportedReturns }, recorded) : recorded
}
