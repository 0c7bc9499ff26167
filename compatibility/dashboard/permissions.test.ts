// Tests that the pages about tenants show actions only to users whose role and permissions allow them.

import { randomUUID } from 'node:crypto'
import { expect, inject, test } from 'vitest'
import { http, logIn, merchantOf, simulate, until } from '../../packages/server/test/support/merchant.ts'
import { openDashboard } from './dashboard.ts'
import { paymentRow } from './payments.page.ts'

const demo = inject('demo')
const tenant = `/tenants/${demo.client.tenant_id}`

test('an Owner user with only the `viewer` permission sees no buttons that change settings or Inbox items', async () => {
  const viewer = { email: `${randomUUID()}@example.com`, password: 'long enough' }
  const { status } = await http('POST', `${demo.base_url}/v1/tenants/${demo.owner.tenant_id}/users`, {
    auth: await logIn(demo, demo.owner),
    body: { ...viewer, permissions: ['viewer'] },
  })
  expect(status).toBe(200)
  const shop = merchantOf(demo)
  const { data: overpaid } = await shop.create()
  await simulate(demo, overpaid, 'paid', { amount: 12_000_000 })
  const { data: challenged } = await shop.create()
  await simulate(demo, challenged, 'challenged')
  await until('both have changed', async () => {
    const [one, other] = await Promise.all([shop.get(overpaid.id), shop.get(challenged.id)])
    return one.data.status === 'paid' && other.data.status === 'challenged'
  })
  for (const [who, isAdmin] of [
    [demo.owner, true],
    [viewer, false],
  ] as const) {
    const dashboard = await openDashboard(who)
    const { page } = dashboard
    const expectButton = async (name: string | RegExp) => {
      const button = page.getByRole('button', { name }).first()
      if (isAdmin) await button.waitFor()
      expect(await button.count(), `${name} on ${page.url()}`).toBe(isAdmin ? 1 : 0)
    }
    for (const [path, name] of [
      ['/tenants', 'New tenant'],
      [tenant, 'Suspend'],
      [tenant, 'Save'],
      [`${tenant}?tab=entitlements`, /^Remove /],
      [`${tenant}?tab=routing`, 'Add rule'],
      [`${tenant}?tab=limits`, 'Save'],
      ['/limits', 'Save'],
      ['/provider-accounts', 'New account'],
    ] as const) {
      await dashboard.go(path)
      await expectButton(name)
    }
    await page.getByRole('button', { name: 'Demonstration Midtrans test' }).click()
    await page.getByRole('dialog').getByRole('heading', { name: 'Callback address' }).waitFor()
    await expectButton('Replace credentials')
    await dashboard.go('/inbox?mode=test')
    await paymentRow(page, overpaid.payment_code).getByRole('button').first().click()
    await page.getByRole('dialog').getByText('More money was received than agreed.').waitFor()
    await expectButton(/^Refund$/)
    await dashboard.go('/inbox?tab=challenged&mode=test')
    await page.getByRole('button', { name: challenged.payment_code }).click()
    await page.getByRole('dialog').getByText('Waiting since').waitFor()
    await expectButton('Decide')
  }
})

test('a Partner sees no button to reactivate a Client that the Owner suspended, but the Owner sees one', async () => {
  const send = async (method: string, path: string, body: object) =>
    http(method, `${demo.base_url}${path}`, { auth: await logIn(demo, demo.owner), body })
  const { data: client } = await send('POST', '/v1/tenants', {
    ...{ name: `Toko ${randomUUID()}`, parent_id: demo.partner.tenant_id },
  })
  const path = `/v1/tenants/${client.id}`
  expect((await send('PATCH', path, { status: 'suspended' })).status).toBe(200)
  for (const [who, count] of [
    [demo.owner, 1],
    [demo.partner, 0],
  ] as const) {
    const { page, go } = await openDashboard(who)
    await go(`/tenants/${client.id}`)
    await page.getByText('Suspended').first().waitFor()
    expect(await page.getByRole('button', { name: 'Reactivate' }).count()).toBe(count)
  }
})
