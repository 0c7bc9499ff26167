// Records the outcome of a charge with a single statement. This requires that the payment has not changed since the
// caller read it, which is nearly always the case. Other events are recorded in a transaction that first locks and
// reads the payment (record-event.ts).

import { afterCommit } from '../../db/after-commit.ts'
import type { Db, Tx } from '../../db/db.ts'
import { isDistributed } from '../../db/distributed-database.ts'
import type { Logger } from '../../logging/log.ts'
import { type PaymentKey, type SingleChange, updateUnchangedPayments } from '../payment.sql.ts'
import type { EventType } from '../payment.ts'
import { type EventToRecord, newBatch, type Recorded } from './event-batch.ts'
import { countChanges, recordEvents } from './record-event.ts'
import { recordStep } from './record-step.ts'
import { traceChanges } from './trace-changes.ts'

/**
 * The events that report a charge's outcome. For a payment with the status `charging`, they neither move money nor send
 * webhooks, so one statement can record them.
 */
const outcomes: readonly EventType[] = ['accepted', 'rejected', 'not_created', 'outcome_unknown']

const keyOf = ({ tenantId, paymentId }: PaymentKey): string => `${tenantId}/${paymentId}`

type PlannedChange = { input: EventToRecord; recorded: Recorded; change: SingleChange }

/**
 * Records events and returns their results in the order of the inputs, as `recordEvents` does. Starts a
 * transaction only if some events cannot be recorded with a single statement.
 */
export async function recordEventsOfKnown(
  db: Db,
  inputs: EventToRecord[],
  at: Date,
  log?: Pick<Logger, 'error'>,
): Promise<Recorded[]> {
  const results = await recordOutcomes(db, inputs, at)
  const others = inputs.filter(input => !results.has(input))
  if (others.length > 0) {
    const recorded = await db.transaction(tx => recordEvents(tx, others, at, log))
    others.forEach((input, index) => void results.set(input, recorded[index] as Recorded))
  }
  return inputs.map(input => results.get(input) as Recorded)
}

/**
 * Records charge outcomes for payments that have not changed since the caller read them. Returns the result of
 * each event that was recorded.
 */
async function recordOutcomes(
  db: Db,
  inputs: EventToRecord[],
  at: Date,
): Promise<Map<EventToRecord, Recorded>> {
  // Citus rejects the statement of `updateUnchangedPayments`, because this statement reads the rows a second
  // time after it has locked them.
  if (isDistributed(db)) return new Map()
  const startedMs = Date.now()
  const planned = planOutcomes(inputs, at)
  if (planned.length === 0) return new Map()
  const updated = await updateUnchangedPayments(
    db,
    planned.map(({ change }) => change),
  )
  const keys = new Set(updated.map(keyOf))
  const done = planned.filter(({ input }) => keys.has(keyOf(input)))
  const results = done.map(({ recorded }) => recorded)
  traceChanges(
    done.map(({ input }) => input),
    results,
    [],
    { startedMs, postedMs: startedMs },
  )
  if (db.isTransaction) afterCommit(db as Tx, () => countChanges(results, at))
  else countChanges(results, at)
  return new Map(done.map(({ input, recorded }) => [input, recorded]))
}

/**
 * Returns the changes that charge outcomes make to the payments. They are computed from the callers' copies
 * of the payments. Payments with several events are left out, because such events must be applied in order.
 */
function planOutcomes(inputs: EventToRecord[], at: Date): PlannedChange[] {
  const known = inputs.filter(input => input.known?.status === 'charging')
  if (known.length === 0) return []
  const counts = new Map<string, number>()
  for (const input of inputs) counts.set(keyOf(input), (counts.get(keyOf(input)) ?? 0) + 1)
  return known.flatMap(input => (counts.get(keyOf(input)) === 1 ? planOutcome(input, at) : []))
}

function planOutcome(input: EventToRecord, at: Date): PlannedChange[] {
  const before = input.known
  const event = before && typeof input.event === 'function' ? input.event(before) : input.event
  if (!before || typeof event !== 'object' || !outcomes.includes(event.type)) return []
  const batch = newBatch([before], at)
  const recorded = recordStep(batch, input, event)
  const [transition] = batch.transitions
  return transition ? [{ input, recorded, change: { before, payment: recorded.payment, transition } }] : []
}
