import type { Tx } from '../../db/db.ts'
import { insertFeeCharges } from '../../fees/fee-charge.sql.ts'
import { postTransfers } from '../../ledger/ledger.sql.ts'
import { insertEvents } from '../../webhooks/event.sql.ts'
import { insertAttempts } from '../attempt.sql.ts'
import { updatePayments } from '../payment.sql.ts'
import type { Batch } from './event-batch.ts'
import { insertRefunds, updateRefunds } from './refund.sql.ts'
import { insertUnexpectedMoney, updateUnexpectedMoney } from './unexpected-money.sql.ts'

/** Writes all rows of a batch. Returns when posting to the ledger started, in milliseconds since 1970. */
export async function writeBatch(tx: Tx, batch: Batch): Promise<number> {
  const { touched, transitions, attempts, transfers, fees, events } = batch
  const { inserted, updated } = batch.changedRecords()
  if (touched.size > 0) await updatePayments(tx, [...touched.values()], transitions)
  if (attempts.length > 0) await insertAttempts(tx, attempts, batch.at)
  if (inserted.length > 0) await insertUnexpectedMoney(tx, inserted)
  if (updated.length > 0) await updateUnexpectedMoney(tx, updated)
  const refunds = batch.changedRefunds()
  if (refunds.inserted.length > 0) await insertRefunds(tx, refunds.inserted)
  if (refunds.updated.length > 0) await updateRefunds(tx, refunds.updated)
  if (events.length > 0) await insertEvents(tx, events)
  if (fees.length > 0) await insertFeeCharges(tx, fees, batch.at)
  // Posts to the ledger last, because posting locks the balances until the commit, and other batches with the same
  // tenants wait for these locks.
  const postedMs = Date.now()
  if (transfers.length > 0) await postTransfers(tx, transfers, batch.at)
  return postedMs
}
