// Tests what happens if a callback about a chargeback is processed while the Owner (the operator) records the
// chargeback as won.

import { expect, test } from 'vitest'
import { testDatabase } from '../../test/support/database.ts'
import { later, now } from '../../test/support/make.ts'
import { refundScene } from '../../test/support/refund-scene.ts'
import { resolveRefund } from '../payments/refund/resolve-refund.ts'
import { accountSlots } from '../provider-accounts/account-slots.ts'
import { inquiryLimits } from '../provider-accounts/inquiry-limits.ts'
import type { CallbackUpdate, InquiryResult, MoneyReturn } from '../providers/provider.ts'
import { newId } from '../values/id.ts'
import { callbackApplier } from './apply-callbacks.ts'
import { insertCallbacks } from './callback.sql.ts'

const { db } = await testDatabase()

test('if a chargeback is won during a callback’s status inquiry, the callback gets a new inquiry later', async () => {
  const scene = refundScene(db)
  await scene.begin()
  await scene.receive(100_000n, 'r-1')
  await scene.report({ kind: 'chargeback', id: null, amount: 100_000n })
  const [chargeback] = await scene.refunds()
  const { paymentCode: reference, providerAccountId } = scene.payment

  let isStanding = true
  let inquiries = 0
  const standing: MoneyReturn = { kind: 'chargeback', id: null, amount: 100_000n, status: 'succeeded' }
  const result = (): InquiryResult => ({
    ...{ reference, providerPaymentId: 'p' },
    fact: { type: 'paid', amountPaid: 100_000n, paidAt: now, receipt: 'r-1' },
    ...(isStanding && { returns: [standing] }),
  })
  const update: CallbackUpdate = {
    ...{ reference, providerPaymentId: 'p' },
    fact: { type: 'unproven', reason: 'chargeback, which is not signed' },
  }
  const win = () =>
    resolveRefund(scene.app, null, chargeback?.id ?? '', { outcome: 'failed', reason: 'won at the bank' })
  scene.state.provider = {
    ...scene.state.provider,
    readCallback: () => ({ updates: [update], acknowledgement: { contentType: 'text/plain', body: '' } }),
    inquire: async () => {
      inquiries += 1
      const response = result()
      if (inquiries === 1) {
        isStanding = false
        await win()
      }
      return response
    },
  }
  scene.state.at = later(10_000)
  const callbacks = callbackApplier(scene.app, accountSlots(4), inquiryLimits(scene.app.clock))
  const id = newId()
  const stored = { id, providerAccountId, path: '', headers: {}, body: Buffer.from(id), receivedAt: now }
  await insertCallbacks(db, [{ ...stored, provider: 'midtrans', trace: null }])
  const statusOfCallback = async () =>
    (await db.raw('select status from provider_callbacks where id = ?', [id])).rows[0].status

  await callbacks.applyOne(id)
  const { rows: jobs } = await db.raw(
    'select run_at > now() as waits from graphile_worker.jobs where key = ?',
    [id],
  )
  expect([await statusOfCallback(), jobs, await scene.balance()]).toEqual([
    'received',
    [{ waits: true }],
    100_000n,
  ])

  scene.state.at = later(60_000)
  await callbacks.applyOne(id)
  expect([await statusOfCallback(), inquiries, await scene.balance()]).toEqual(['repeated', 3, 100_000n])
  expect(await scene.refunds()).toMatchObject([{ status: 'failed' }])
})
