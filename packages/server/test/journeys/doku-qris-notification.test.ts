// Tests DOKU's older QRIS notification, which proves nothing. The payment's status comes from a status inquiry.

import { expect, test } from 'vitest'
import { register } from '../../src/demo/demo-accounts.ts'
import { updateProviderAccount } from '../../src/provider-accounts/update-provider-account.ts'
import type { AnyProvider } from '../../src/providers/provider.ts'
import { testApp } from '../support/app.ts'
import { http, simulate, until } from '../support/merchant.ts'
import { merchantWith } from '../support/merchant-of-provider.ts'

const { app, demo, advance } = await testApp()
const shop = await merchantWith(app, demo, 'doku')
const callbackUrl = `${demo.base_url}/v1/callbacks/doku/${shop.accountId}`
const loaded = await app.accountOf(shop.accountId)
// The sandbox sends the older notification to a merchant with a shared key.
const credentials = { ...(loaded?.account.credentials as Record<string, string>), qris_shared_key: 'key' }
await register(demo.sandbox_url, 'doku', credentials, callbackUrl)
const doku = app.providers.get('doku') as AnyProvider
await updateProviderAccount(app, null, doku, shop.accountId, { credentials })

const create = async () => (await shop.create({ method_type: 'qris', method_detail: { type: 'qris' } })).data
const statusOf = async ({ id }: { id: string }) => (await shop.get(id)).data.status

test("after DOKU's older notification about a QRIS payment, a status inquiry credits the payment once", async () => {
  const payment = await create()
  const answers = await simulate(demo, payment, 'paid', { copies: 2 })
  expect(answers).toEqual([
    { status: 200, body: 'CONTINUE' },
    { status: 200, body: 'CONTINUE' },
  ])
  await until('the payment is paid', async () => (await statusOf(payment)) === 'paid')
  expect((await shop.ledger(payment.id)).data).toMatchObject([
    { entry_type: 'credit', amount: payment.amount },
  ])
})

test("a forged older notification does not change an unpaid payment, even if another order's notification is genuine", async () => {
  const [unpaid, paid] = [await create(), await create()]
  await simulate(demo, paid, 'paid')
  await until('the other payment is paid', async () => (await statusOf(paid)) === 'paid')
  const genuine = await app.db.raw('select path from provider_callbacks where path like ?', [
    `%${paid.payment_code}%`,
  ])
  const forged = genuine.rows[0].path.replace(paid.payment_code, unpaid.payment_code)
  expect(forged).toContain(`TRANSACTIONID=${unpaid.payment_code}`)
  const answer = await http('POST', new URL(forged, demo.base_url).href, { raw: '{}' })
  expect(answer).toMatchObject({ status: 200, text: 'CONTINUE' })
  // The service repeats the inquiry for a minute, because the notification claims a payment.
  advance(61_000)
  await until('the forged notification is processed', async () => {
    const { rows } = await app.db.raw("select from provider_callbacks where status = 'received'")
    return rows.length === 0
  })
  expect(await statusOf(unpaid)).toBe('pending')
  expect((await shop.ledger(unpaid.id)).data).toEqual([])
})
