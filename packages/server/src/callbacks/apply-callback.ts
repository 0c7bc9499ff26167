// Applies kept callbacks to payments, as many at a time as wait: read them again from their bytes, find their
// payments, ask the provider where one claims what it does not prove, and record everything at once.

import type { App } from '../app.ts'
import type { Tx } from '../db/db.ts'
import { findReferences, type Reference } from '../payments/payment.sql.ts'
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

type Reading = { callback: Callback; report: ProviderReport }

export async function applyCallbacks(app: Deps, ids: string[]): Promise<void> {
  const callbacks = await findUnappliedCallbacks(app.db, ids)
  if (callbacks.length === 0) return
  const readings = (await Promise.all(callbacks.map(callback => read(app, callback)))).flat()
  const found = await findReferences(
    app.db,
    readings.map(({ callback, report }) => ({
      reference: report.reference,
      providerAccountId: callback.providerAccountId,
    })),
  )
  const now = app.clock()
  await app.db.transaction(async tx => {
    await updateCallbacks(tx, await record(tx, readings, found, now), now)
  })
}

async function read(app: Deps, callback: Callback): Promise<Reading[]> {
  const loaded = await app.accountOf(callback.providerAccountId)
  if (!loaded) throw new Error(`there is no provider account ${callback.providerAccountId}`)
  const reading = loaded.provider.readCallback(loaded.account, {
    headers: callback.headers,
    body: callback.body,
  })
  // It held when it came in; only a change of credentials in between can have broken it.
  if (!reading.verified)
    throw new Error(`callback ${callback.id} does not verify any more: ${reading.reason}`)
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

async function record(
  tx: Tx,
  readings: Reading[],
  found: Reference[],
  now: Date,
): Promise<CallbackOutcome[]> {
  // By account too: one callback of a batch must not find what another one's account was given.
  const place = (accountId: string, reference: string) => `${accountId}/${reference}`
  const keys = new Map(found.map(each => [place(each.providerAccountId, each.reference), each]))
  const reports: Report[] = []
  const outcomes = readings.map(({ callback, report }) => {
    const key = keys.get(place(callback.providerAccountId, report.reference))
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
    return (results: Recorded[]) => ({
      ...told(callback, report, results[position] as Recorded),
      tenantId: key.tenantId,
      paymentId: key.paymentId,
    })
  })
  const results = reports.length > 0 ? await recordEvents(tx, reports, now) : []
  return outcomes.map(each => each(results))
}

function told(callback: Callback, report: ProviderReport, recorded: Recorded): CallbackOutcome {
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
): CallbackOutcome => ({
  id: callback.id,
  status,
  reason,
  tenantId: null,
  paymentId: null,
})
