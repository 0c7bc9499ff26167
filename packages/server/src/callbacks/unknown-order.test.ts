// Tests a paid callback from Duitku whose order Duitku's status API does not know yet.

import { expect, test } from 'vitest'
import { testDatabase } from '../../test/support/database.ts'
import { fakeServer } from '../../test/support/fake-server.ts'
import { insertPendingPayment, later, makeTenant, now } from '../../test/support/make.ts'
import { recordingApp } from '../../test/support/recording-app.ts'
import { findPaymentInBatch } from '../payments/payment.sql.ts'
import { accountSlots } from '../provider-accounts/account-slots.ts'
import { inquiryLimits } from '../provider-accounts/inquiry-limits.ts'
import type { LoadAccount } from '../provider-accounts/load-account.ts'
import { credentials } from '../providers/duitku/credentials.ts'
import { duitku } from '../providers/duitku/duitku.ts'
import type { AnyProvider } from '../providers/provider.ts'
import { newId } from '../values/id.ts'
import { callbackApplier } from './apply-callbacks.ts'
import { insertCallbacks } from './callback.sql.ts'

const { db } = await testDatabase()
const server = await fakeServer()
const tenantId = await makeTenant(db)

test('if Duitku reports a payment before its status API does, a later inquiry credits it once', async () => {
  const { app, state } = recordingApp(db)
  const account = {
    mode: 'live' as const,
    credentials: credentials.parse({ merchant_code: 'DXXXX', api_key: 'DXXXXCX80TZJ85Q70QCI' }),
    baseUrl: server.url,
  }
  const accountOf: LoadAccount = async id => ({
    ...(await app.accountOf(id)),
    provider: duitku as AnyProvider,
    account: { id, ...account },
  })
  const callbacks = callbackApplier({ ...app, accountOf }, accountSlots(4), inquiryLimits(app.clock))
  const providerAccountId = newId()
  const payment = await insertPendingPayment(db, { tenantId, providerAccountId })
  const order = {
    merchantCode: 'DXXXX',
    amount: String(payment.amount / 100n),
    merchantOrderId: payment.paymentCode,
    reference: 'DXXXX1',
  }
  const callback = async (receivedAt: Date): Promise<string> => {
    const id = newId()
    const body = Buffer.from(`${new URLSearchParams({ ...order, resultCode: '00' })}`)
    const stored = { id, providerAccountId, path: '', headers: {}, body, receivedAt }
    await insertCallbacks(db, [{ ...stored, provider: 'duitku', trace: null }])
    return id
  }
  const first = await callback(now)
  server.replies(400, '"Transaction not found"')
  await expect(callbacks.applyOne(first)).rejects.toThrow('the provider does not confirm the payment yet')

  state.at = later(2_000)
  server.replies(200, { ...order, statusCode: '00' })
  await callbacks.applyOne(first)
  state.at = later(20_000)
  await callbacks.applyOne(await callback(later(10_000)))

  expect(server.received).toHaveLength(3)
  expect(await findPaymentInBatch(db, tenantId, payment.id, null)).toMatchObject({
    status: 'paid',
    amountPaid: payment.amount,
  })
  const { rows } = await db.raw('select amount from ledger_entries where payment_id = ?', [payment.id])
  expect(rows).toEqual([{ amount: payment.amount }])
})
