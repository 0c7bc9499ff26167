// Tests pages for the Owner (the service's operator):
// - the routing rules
// - the Inbox form for a payment held for a fraud check
// - a merchant's payments
// - the command bar
// - the double-entry totals across all tenants

import { randomUUID } from 'node:crypto'
import { expect, inject, test } from 'vitest'
import { http, logIn, merchantOf, simulate, until } from '../../packages/server/test/support/merchant.ts'
import { barriers } from '../site/browser.ts'
import { openDashboard, picture } from './dashboard.ts'
import { openItem } from './inbox.page.ts'
import { paidPayment } from './paid-payment.ts'
import { openArea } from './shell.page.ts'

const demo = inject('demo')

test('leaving a page with unsaved changes asks for confirmation, and staying keeps the changes', async () => {
  const dashboard = await openDashboard(demo.owner)
  const { page } = dashboard
  await dashboard.go(`/tenants/${demo.client.tenant_id}?tab=routing`)
  await page.getByRole('button', { name: 'Add rule' }).click()
  for (const leave of [
    () => page.getByRole('tab', { name: 'Provider accounts' }).click(),
    () => openArea(page, 'Callbacks'),
  ]) {
    await leave()
    const asked = page.getByRole('dialog', { name: 'Leave without saving?' })
    await asked.getByRole('button', { name: 'Back' }).click()
    await asked.waitFor({ state: 'hidden' })
    expect(new URL(page.url()).searchParams.get('tab')).toBe('routing')
    expect(await page.getByRole('group', { name: 'Rule 1' }).count()).toBe(1)
  }
  await openArea(page, 'Callbacks')
  await page.getByRole('button', { name: 'Leave' }).click()
  await page.waitForURL('**/dashboard/callbacks?*')
})

test('if the response to a creation is lost, a retry creates no second tenant, API key or webhook endpoint', async () => {
  const owner = await openDashboard(demo.owner)
  const client = await openDashboard(demo.client)
  const name = `retried-${randomUUID()}`
  for (const { dashboard, path, begin, field, value, create } of [
    {
      ...{ dashboard: owner, path: '/tenants', begin: 'New tenant', field: 'Name', value: name },
      create: 'Create',
    },
    {
      ...{ dashboard: client, path: '/api-keys', begin: 'New key', field: 'Name', value: name },
      create: 'Create key',
    },
    {
      ...{ dashboard: client, path: '/webhooks', begin: 'New endpoint', field: 'URL' },
      ...{ value: `http://127.0.0.1:9/${name}`, create: 'Create endpoint' },
    },
  ]) {
    const { page } = dashboard
    await dashboard.go(path)
    await page.getByRole('button', { name: begin }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: field }).fill(value)
    await page.route(
      /\.create/,
      async route => {
        await route.fetch()
        await route.abort()
      },
      { times: 1 },
    )
    const submit = dialog.getByRole('button', { name: create, exact: true })
    await submit.click()
    await dialog.getByText('The service is not responding').waitFor()
    await submit.click()
    await submit.waitFor({ state: 'detached' })
  }
  const list = async (path: string, who: { email: string; password: string }) =>
    (await http('GET', demo.base_url + path, { auth: await logIn(demo, who) })).data.items
  const tenants = await list(`/v1/tenants?q=${name}`, demo.owner)
  const keys = await list('/v1/account/api-keys', demo.client)
  const endpoints = await list('/v1/webhook-endpoints?mode=test', demo.client)
  const made = [...tenants, ...keys, ...endpoints].filter(each => JSON.stringify(each).includes(name))
  expect(made).toHaveLength(3)
  const endpoint = endpoints.find(({ url }: { url: string }) => url.includes(name))
  await http('DELETE', `${demo.base_url}/v1/webhook-endpoints/${endpoint.id}`, {
    auth: await logIn(demo, demo.client),
  })
})

test('the form for a challenged payment (held for a fraud check) preselects no decision', async () => {
  const shop = merchantOf(demo)
  const { data: payment } = await shop.create()
  await simulate(demo, payment, 'challenged')
  await until('it is challenged', async () => (await shop.get(payment.id)).data.status === 'challenged')
  const dashboard = await openDashboard(demo.owner)
  await dashboard.go('/inbox?tab=challenged')
  const drawer = await openItem(dashboard.page, payment.payment_code)
  await drawer.and(dashboard.page.getByRole('dialog', { name: 'Challenged payment' })).waitFor()
  const decide = drawer.getByRole('button', { name: 'Decide' })
  await decide.waitFor()
  expect(await decide.isDisabled()).toBe(true)
  await drawer.getByRole('radio', { name: 'Accept' }).check()
  expect(await drawer.getByRole('button', { name: /^Accept Rp/ }).isEnabled()).toBe(true)
})

test('the Owner filters a merchant’s payments by amount, and sees how many match', async () => {
  const { data: payment } = await merchantOf(demo).create({ amount: 98_765_400 })
  const dashboard = await openDashboard(demo.owner)
  const { page } = dashboard
  await dashboard.go(`/tenants/${demo.client.tenant_id}?tab=payments&mode=test`)
  await page.getByRole('textbox', { name: 'Amount' }).fill('987654')
  await page.keyboard.press('Enter')
  await page.getByText('1 payment', { exact: true }).waitFor()
  await page.getByRole('link', { name: payment.payment_code }).waitFor()
  const { searchParams } = new URL(page.url())
  expect([searchParams.get('tab'), searchParams.get('amount')]).toEqual(['payments', '98765400'])
})

test('the Owner’s command bar finds a payment by code on any page, but by name only on the merchant’s pages', async () => {
  const { data: payment } = await merchantOf(demo).create({ customer_name: 'Gendis Wiryawan' })
  const dashboard = await openDashboard(demo.owner)
  const { page } = dashboard
  const found = page.getByRole('option', { name: payment.payment_code })
  const search = async (text: string) => {
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search and commands' }).fill(text)
  }
  await dashboard.go('/callbacks')
  await search('Gendis')
  await page.getByText('Nothing found').waitFor()
  await page
    .getByText('To search by name, phone number or order reference, open the merchant first')
    .waitFor()
  expect(await barriers(page)).toEqual([])
  await picture(dashboard, 'owner, command bar without a merchant')
  await page.keyboard.press('Escape')
  await search(payment.payment_code)
  await found.waitFor()
  await page.keyboard.press('Escape')
  await dashboard.go(`/tenants/${demo.client.tenant_id}`)
  await search('gendis wir')
  await found.filter({ hasText: 'Gendis Wiryawan' }).waitFor()
  expect(await barriers(page)).toEqual([])
  await picture(dashboard, 'owner, command bar in a merchant')
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/dashboard/tenants/${demo.client.tenant_id}/payments/${payment.payment_code}*`)
})

test('the reconciliation page shows what each provider account owes, and that all balances sum to zero', async () => {
  await paidPayment(demo)
  const dashboard = await openDashboard(demo.owner)
  const { page } = dashboard
  await dashboard.go('/reconciliation?mode=test')
  await page.getByRole('tab', { name: 'Book totals' }).click()
  await page.getByRole('heading', { name: 'Every book sums to zero' }).waitFor()
  const table = page.getByRole('table', { name: 'Ledger totals across all tenants' })
  await table.getByRole('row', { name: /^Owed by Midtrans .*Rp [1-9]/ }).waitFor()
  await table.getByRole('row', { name: /^Positive balances of merchants Rp [1-9]/ }).waitFor()
  expect(new URL(page.url()).searchParams.get('tab')).toBe('books')
})
