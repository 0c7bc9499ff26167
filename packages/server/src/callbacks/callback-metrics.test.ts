// Tests the metrics for settled callbacks: callbacks that were applied or that got another final outcome.

import { expect, test } from 'vitest'
import { testDatabase } from '../../test/support/database.ts'
import { insertPendingPayment, later, makeTenant, now } from '../../test/support/make.ts'
import { recordingApp } from '../../test/support/recording-app.ts'
import { accountSlots } from '../provider-accounts/account-slots.ts'
import { inquiryLimits } from '../provider-accounts/inquiry-limits.ts'
import type { CallbackUpdate } from '../providers/provider.ts'
import { newId } from '../values/id.ts'
import { callbackApplier } from './apply-callbacks.ts'
import { insertCallbacks } from './callback.sql.ts'
import { callbackMetrics } from './callback-metrics.ts'

const { db } = await testDatabase()
const { app, state } = recordingApp(db)
const updates = new Map<string, CallbackUpdate[]>()
state.provider = {
  readCallback: (_, { body }) => ({
    updates: updates.get(body.toString()) ?? [],
    acknowledgement: { contentType: 'text/plain', body: '' },
  }),
}
const { applyBatch: together } = callbackApplier(app, accountSlots(10), inquiryLimits(app.clock))

async function received(providerAccountId: string, ...reported: CallbackUpdate[]): Promise<string> {
  const id = newId()
  updates.set(id, reported)
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

test('the metrics count a callback with a final outcome once, with its main outcome and its processing time', async () => {
  const payment = await insertPendingPayment(db, { tenantId: await makeTenant(db) })
  const { providerAccountId, paymentCode: reference } = payment
  const update = (fact: CallbackUpdate['fact'], named: string | null = reference): CallbackUpdate => ({
    ...{ reference: named, providerPaymentId: 'none', fact },
  })
  const ids = [
    await received(providerAccountId, update({ type: 'pending' }), update({ type: 'expired' })),
    await received(providerAccountId, update({ type: 'expired' }, 'unknown')),
    // The next two callbacks get no outcome yet. The first callback needs a status inquiry. The second one names a
    // payment that was not found, but that may be stored later.
    await received(providerAccountId, update({ type: 'unproven', reason: 'not signed' })),
    await received(providerAccountId, update({ type: 'expired' }, null)),
    // This callback does not exist.
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
    // Other tests in this process may have added to the metric, so the test checks only the increase.
    seconds: after.seconds - before.seconds,
  }).toEqual({ applied: 1, unmatched: 1, delays: 2, seconds: expect.closeTo(5) })
})
