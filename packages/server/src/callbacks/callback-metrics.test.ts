// Metrics of settled callbacks.

import { expect, test } from 'vitest'
import { testDatabase } from '../../test/support/database.ts'
import { insertPendingPayment, later, makeTenant, now } from '../../test/support/make.ts'
import { recordingApp } from '../../test/support/recording-app.ts'
import { inquiryLimits } from '../provider-accounts/inquiry-limits.ts'
import { placesFor } from '../provider-accounts/places.ts'
import type { CallbackReport } from '../providers/provider.ts'
import { newId } from '../values/id.ts'
import { callbackApplication } from './apply-callbacks.ts'
import { insertCallbacks } from './callback.sql.ts'
import { callbackMetrics } from './callback-metrics.ts'

const { db } = await testDatabase()
const { app, state } = recordingApp(db)
const reports = new Map<string, CallbackReport[]>()
state.provider = {
  readCallback: (_, { body }) => ({
    reports: reports.get(body.toString()) ?? [],
    acknowledgement: { contentType: 'text/plain', body: '' },
  }),
}
const { together } = callbackApplication(app, placesFor(10), inquiryLimits(app.clock))

async function received(providerAccountId: string, ...reported: CallbackReport[]): Promise<string> {
  const id = newId()
  reports.set(id, reported)
  const callback = { id, providerAccountId, path: '', headers: {}, body: Buffer.from(id), receivedAt: now }
  await insertCallbacks(db, [{ ...callback, provider: 'midtrans', trace: null }])
  return id
}
async function counted() {
  const settled = (await callbackMetrics.settled.get()).values
  const delay = (await callbackMetrics.delay.get()).values
  const of = (suffix: string) => delay.find(({ metricName }) => metricName?.endsWith(suffix))?.value ?? 0
  return {
    outcomes: Object.fromEntries(settled.map(({ labels, value }) => [labels.outcome, value])),
    delays: of('_count'),
    seconds: of('_sum'),
  }
}

test('each settled callback is counted once, under its most significant outcome, with its processing delay in seconds', async () => {
  const payment = await insertPendingPayment(db, { tenantId: await makeTenant(db) })
  const { providerAccountId, paymentCode: reference } = payment
  const report = (fact: CallbackReport['fact'], named: string | null = reference): CallbackReport => ({
    ...{ reference: named, providerPaymentId: 'none', fact },
  })
  const ids = [
    await received(providerAccountId, report({ type: 'pending' }), report({ type: 'expired' })),
    await received(providerAccountId, report({ type: 'expired' }, 'unknown')),
    // Neither of these callbacks is settled: one needs an inquiry, and the other is early.
    await received(providerAccountId, report({ type: 'unproven', reason: 'not signed' })),
    await received(providerAccountId, report({ type: 'expired' }, null)),
    // An id without a callback.
    newId(),
  ]
  const before = await counted()
  state.at = later(2_500)
  await together(ids)
  const after = await counted()
  expect({
    applied: after.outcomes.applied - (before.outcomes.applied ?? 0),
    unmatched: after.outcomes.unmatched - (before.outcomes.unmatched ?? 0),
    delays: after.delays - before.delays,
    seconds: after.seconds - before.seconds,
  }).toEqual({ applied: 1, unmatched: 1, delays: 2, seconds: 5 })
})
