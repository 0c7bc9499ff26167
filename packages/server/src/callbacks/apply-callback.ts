// Applies kept callbacks to payments, as many at a time as wait: read them again from their bytes, find their
// payments, ask the provider where one claims what it does not prove, and record everything at once.

import type { App } from '../app.ts'
import { coalesce } from '../coalesce.ts'
import { isDatabaseAway, type Tx } from '../db/db.ts'
import { findReferences, type PaymentKey } from '../payments/payment.sql.ts'
import { type ShownStatus, shownStatus } from '../payments/payment.ts'
import { type Recorded, type Report, recordEvents } from '../payments/record-event.ts'
import { eventOfReport } from '../payments/refresh-payment.ts'
import { ProviderError, type ProviderReport } from '../providers/provider.ts'
import {
  type Callback,
  type CallbackOutcome,
  findUnappliedCallbacks,
  updateCallbacks,
} from './callback.sql.ts'

type Deps = Pick<App, 'db' | 'clock' | 'log' | 'accountOf'>

/** unread: why nothing can be taken from it. */
type Message = { callback: Callback } & ({ report: ProviderReport } | { unread: string })
/** key: the payment that it is about, if this account was given it. */
export type Reading = Message & { key?: PaymentKey | undefined }

/** What one report of a callback did; from and to as the API shows them. */
export type AppliedReport = CallbackOutcome & { from: ShownStatus | null; to: ShownStatus | null }

/** Callbacks that are looked up, or recorded, at the same time share the statements for it. */
const AT_ONCE = 200

/**
 * Applies one kept callback after the other or hundreds together: looking up and recording are shared, while
 * a provider that has to be asked, or a message that cannot be read, holds up its own callback only.
 */
export function callbackApplication(app: Deps): (id: string) => Promise<void> {
  const limits = { batchSize: AT_ONCE, isShared: isDatabaseAway }
  const load = coalesce(async (ids: string[]) => {
    const found = new Map(
      (await findUnappliedCallbacks(app.db, ids)).map(callback => [callback.id, callback]),
    )
    return ids.map(id => found.get(id))
  }, limits)
  const settle = coalesce(async (batch: Message[][]) => {
    const readings = await findPayments(app, batch.flat())
    await app.db.transaction(tx => applyReadings(tx, readings, app.clock()))
    return batch
  }, limits)
  return async id => {
    const callback = await load(id)
    if (callback) await settle(await read(app, callback))
  }
}

/** What a callback says, and of which payments; outside of any transaction, since a provider may be asked. */
export async function readCallback(app: Deps, callback: Callback): Promise<Reading[]> {
  return findPayments(app, await read(app, callback))
}

async function findPayments(app: Deps, messages: Message[]): Promise<Reading[]> {
  const found = await findReferences(
    app.db,
    messages.flatMap(message =>
      'report' in message
        ? [{ reference: message.report.reference, providerAccountId: message.callback.providerAccountId }]
        : [],
    ),
  )
  // By account too: one callback of a batch must not find what another one's account was given.
  const place = (accountId: string, reference: string) => `${accountId}/${reference}`
  const keys = new Map(found.map(each => [place(each.providerAccountId, each.reference), each]))
  return messages.map(message =>
    'report' in message
      ? { ...message, key: keys.get(place(message.callback.providerAccountId, message.report.reference)) }
      : message,
  )
}

/** Records what they report, and with each callback what came of it. */
export async function applyReadings(tx: Tx, readings: Reading[], now: Date): Promise<AppliedReport[]> {
  const applied = await record(tx, readings, now)
  await updateCallbacks(tx, applied, now)
  return applied
}

async function read(app: Deps, callback: Callback): Promise<Message[]> {
  const loaded = await app.accountOf(callback.providerAccountId)
  if (!loaded) throw new Error(`there is no provider account ${callback.providerAccountId}`)
  const { headers, body } = callback
  const reading = loaded.provider.readCallback(loaded.account, { headers, body })
  // It held when it came in; only a change of credentials in between can have broken it.
  if (!reading.verified) return [{ callback, unread: `it does not verify any more: ${reading.reason}` }]
  if (reading.reports.length === 0) return [{ callback, unread: 'it reports on no order' }]
  return Promise.all(
    reading.reports.map(async report => ({
      callback,
      report: report.fact.type === 'unproven' ? await prove(app, callback, report) : report,
    })),
  )
}

/** The provider's own word in the place of a claim that its signature does not cover. */
async function prove(app: Deps, callback: Callback, claim: ProviderReport): Promise<ProviderReport> {
  const loaded = await app.accountOf(callback.providerAccountId)
  if (!loaded) return claim
  try {
    const word = await loaded.provider.inquire(loaded.account, {
      reference: claim.reference,
      providerPaymentId: claim.providerPaymentId,
      methodDetail: null,
    })
    return word === 'absent' ? claim : word
  } catch (error) {
    // No answer proves nothing; the job comes again.
    if (error instanceof ProviderError)
      app.log.warn({ err: error, callbackId: callback.id }, 'claim could not be proved yet')
    throw error
  }
}

async function record(tx: Tx, readings: Reading[], now: Date): Promise<AppliedReport[]> {
  const reports: Report[] = []
  const outcomes = readings.map(reading => {
    const { callback, key } = reading
    if ('unread' in reading) return () => outcome(callback, 'ignored', reading.unread)
    const { report } = reading
    if (!key) {
      return () =>
        outcome(callback, 'unmatched', `no payment of this account has the reference ${report.reference}`)
    }
    const position = reports.length
    reports.push({
      tenantId: key.tenantId,
      paymentId: key.paymentId,
      event: payment => eventOfReport(report, payment, now),
      cause: 'callback',
    })
    return (results: Recorded[]) => {
      const recorded = results[position] as Recorded
      const to = shownStatus(recorded.payment.status)
      return {
        ...told(callback, report, recorded),
        tenantId: key.tenantId,
        paymentId: key.paymentId,
        from: recorded.kind === 'changed' ? shownStatus(recorded.from) : to,
        to,
      }
    }
  })
  const results = reports.length > 0 ? await recordEvents(tx, reports, now) : []
  return outcomes.map(each => each(results))
}

function told(callback: Callback, report: ProviderReport, recorded: Recorded): AppliedReport {
  switch (recorded.kind) {
    case 'ignored':
      return outcome(
        callback,
        'ignored',
        'reason' in report.fact ? report.fact.reason : `a report of ${report.fact.type} changes nothing`,
      )
    case 'changed':
      return outcome(callback, 'applied', null)
    case 'unchanged':
      return outcome(callback, 'repeated', null)
    case 'refused':
      return outcome(callback, 'refused', recorded.reason)
  }
}

const outcome = (
  callback: Callback,
  status: CallbackOutcome['status'],
  reason: string | null,
): AppliedReport => ({
  id: callback.id,
  status,
  reason,
  tenantId: null,
  paymentId: null,
  from: null,
  to: null,
})
