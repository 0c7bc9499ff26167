// Tests that a process's jobs continue while its requests use all database connections available to requests.

import { randomUUID } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { insertCallbacks } from '../../src/callbacks/callback.sql.ts'
import { createDb } from '../../src/db/db.ts'
import { findPaymentInBatch } from '../../src/payments/payment.sql.ts'
import { signatureOf } from '../../src/providers/midtrans/signature.ts'
import { newId } from '../../src/values/id.ts'
import { testApp } from '../support/app.ts'
import { atEnd } from '../support/at-end.ts'
import { receiver, until } from '../support/merchant.ts'
import { merchantWith } from '../support/merchant-of-provider.ts'

const { app, demo, databaseUrl } = await testApp()
const own = createDb(databaseUrl, { max: 2 })
atEnd(() => own.destroy())

/** Occupies all database connections that are available to requests until the end of the test. */
async function holdAllConnections(): Promise<void> {
  const { max } = app.db.client.pool
  const held = await Promise.all(Array.from({ length: max }, () => app.db.transaction()))
  onTestFinished(async () => {
    await Promise.all(held.map(tx => tx.rollback()))
  })
}

test('while requests use all their database connections, a callback is still applied and its webhook is still sent', async () => {
  const shop = await merchantWith(app, demo, 'midtrans')
  const { close, of } = await receiver(demo, () => 200, shop)
  onTestFinished(close)
  const { data: payment } = await shop.create()
  const { server_key = '' } = ((await app.accountOf(shop.accountId))?.account.credentials ?? {}) as Record<
    string,
    string
  >
  const message = { order_id: payment.payment_code, status_code: '200', gross_amount: '100000.00' }
  const signature_key = signatureOf(message, server_key)
  const rest = {
    transaction_id: randomUUID(),
    transaction_status: 'settlement',
    payment_type: 'bank_transfer',
  }
  await holdAllConnections()
  await insertCallbacks(own, [
    {
      ...{ id: newId(), provider: 'midtrans', providerAccountId: shop.accountId, receivedAt: app.clock() },
      ...{ path: '/v1/callbacks/midtrans', headers: {}, trace: null },
      body: Buffer.from(JSON.stringify({ ...message, ...rest, signature_key })),
    },
  ])
  const stored = () => findPaymentInBatch(own, shop.tenantId, payment.id, null)
  await until('the payment is paid', async () => (await stored())?.status === 'paid')
  await until('the webhook is sent', () => of(payment).length > 0)
})

test('while requests use all their database connections, scheduled status inquiries are still sent to the provider', async () => {
  const shop = await merchantWith(app, demo, 'midtrans')
  const { data: payment } = await shop.create()
  await holdAllConnections()
  await own.raw('update payments set next_check_at = now() where id = ?', [payment.id])
  const checkedAt = 'select last_checked_at as at from payments where id = ?'
  await until(
    'a status inquiry about the payment is made',
    async () => (await own.raw(checkedAt, [payment.id])).rows[0].at,
  )
})

test('a reserved connection can read uncached settings while requests use all their database connections', async () => {
  const unused = demo.provider_accounts.find(each => each.provider === 'tripay')
  await holdAllConnections()
  expect(await app.accountOf(unused?.id as string)).toBeDefined()
})
