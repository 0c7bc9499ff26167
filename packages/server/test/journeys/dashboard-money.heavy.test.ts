// Tests refund and fee data that the dashboard reads over tRPC and that the published API does not return.

import { randomUUID } from 'node:crypto'
import { createTRPCClient, httpBatchLink } from '@trpc/client'
import { expect, test } from 'vitest'
import type { AppRouter } from '../../src/router.ts'
import { testApp } from '../support/app.ts'
import { logIn, merchantOf, simulate, until } from '../support/merchant.ts'

const { demo } = await testApp()
const shop = merchantOf(demo)

async function callsOf(who: { email: string; password: string }) {
  const authorization = await logIn(demo, who)
  return createTRPCClient<AppRouter>({
    links: [httpBatchLink({ url: `${demo.base_url}/trpc`, headers: { authorization } })],
  })
}
const owner = await callsOf(demo.owner)
const partner = await callsOf(demo.partner)
const client = await callsOf(demo.client)

const qris = { method_type: 'qris', method_detail: { type: 'qris' } }
async function paid(order: object = {}) {
  const { data: payment } = await shop.create(order)
  await simulate(demo, payment, 'paid')
  await until('the payment is paid', async () => (await shop.get(payment.id)).data.status === 'paid')
  return payment
}
const bank_account = { bank: 'BCA', number: '1234567890', holder_name: 'Budi Santoso' }
const refund = async (payment: { id: string }, body: object) =>
  (
    await shop.call('POST', `/v1/payments/${payment.id}/refunds`, {
      body,
      headers: { 'x-idempotency-key': randomUUID() },
    })
  ).data

test("the dashboard can read a payment's refundable amount and its channel's refund terms", async () => {
  const offerOf = async ({ id }: { id: string }) =>
    (await client.payments.standing.query({ payment_id: id })).refund_offer
  const payment = await paid(qris)
  await refund(payment, { amount: 4_000_000 })
  // Waits for the refund, because the refund could otherwise succeed while a later test compares sums.
  await until(
    'the refund has succeeded',
    async () => (await shop.get(payment.id)).data.amount_refunded === 4_000_000,
  )
  expect(await offerOf(payment)).toMatchObject({
    ...{ provider: 'Midtrans', channel: 'QRIS', amount_paid: 10_000_000, refunded: 4_000_000 },
    ...{ left: 6_000_000, refunds: 1, terms: { amounts: 'partial', window_days: 7 } },
  })
  expect(await offerOf(await paid())).toMatchObject({ channel: 'BCA', left: 10_000_000, terms: null })
  expect(await offerOf((await shop.create()).data)).toBeNull()
})

test("only the Client and the Owner see the payer's bank account in a manual refund", async () => {
  const { id } = await refund(await paid(), { amount: 1_000_000, bank_account })
  const find = async ({ refunds }: typeof owner, waiting?: 'true') =>
    (await refunds.listDetails.query({ mode: 'test', ...(waiting && { waiting }) })).items.find(
      item => item.id === id,
    )
  expect(await find(owner, 'true')).toMatchObject({ bank_account, is_waiting: true })
  expect(await find(client)).toMatchObject({ bank_account, reference: expect.stringMatching(/-R1$/) })
  expect(await find(partner)).toMatchObject({ bank_account: null })
  await owner.refunds.resolve.mutate({ refund_id: id, outcome: 'succeeded', bank_reference: 'TRF-1' })
  expect(await find(owner, 'true')).toBeUndefined()
  expect(await find(client)).toMatchObject({ bank_reference: 'TRF-1', is_waiting: false })
})

test('the dashboard shows that a Midtrans chargeback can be recorded as won, but a refund cannot', async () => {
  const charged = await paid(qris)
  await simulate(demo, charged, 'chargeback')
  const refunded = await refund(await paid(), { amount: 1_000_000, bank_account })
  const listed = async () => (await owner.refunds.listDetails.query({ mode: 'test' })).items
  await until('the chargeback is listed', async () =>
    (await listed()).some(({ payment_id }) => payment_id === charged.id),
  )
  expect((await listed()).find(({ id }) => id === refunded.id)).toMatchObject({ is_winnable: false })
  expect((await listed()).find(({ payment_id }) => payment_id === charged.id)).toMatchObject({
    origin: 'chargeback',
    is_winnable: true,
  })
})

test("the dashboard's payment report contains the refunded amount", async () => {
  const sums = async () => (await client.reports.payments.query({ mode: 'test' })).items[0]
  const before = await sums()
  const { id } = await refund(await paid(), { amount: 1_000_000, bank_account })
  await owner.refunds.resolve.mutate({ refund_id: id, outcome: 'succeeded', bank_reference: 'TRF-2' })
  expect((await sums())?.amount_refunded).toBe((before?.amount_refunded ?? 0) + 1_000_000)
})

test('in the dashboard, a tenant sees all versions of the fee schedules that it has set', async () => {
  const tenant_id = demo.client.tenant_id
  const namesFor = async ({ fees }: typeof owner) =>
    (await fees.pricedTenants.query({})).items.map(item => item.tenant_id)
  expect([await namesFor(owner), await namesFor(partner)]).toEqual([[], []])
  for (const fixed of [100_000, 200_000])
    await partner.fees.setOfTenant.mutate({ tenant_id, rules: [{ fixed }] })
  const effective_from = '2099-01-01T00:00:00+07:00'
  await partner.fees.setOfTenant.mutate({ tenant_id, effective_from, rules: [] })
  const history = await partner.fees.history.query({ tenant_id })
  expect(history.map(({ version, state }) => [version, state])).toEqual([
    [3, 'upcoming'],
    [2, 'in_force'],
    [1, 'past'],
  ])
  expect([await namesFor(owner), await namesFor(partner)]).toEqual([[], [tenant_id]])
  expect(await owner.fees.history.query({ tenant_id })).toEqual([])
})
