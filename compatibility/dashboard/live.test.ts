// Tests live updates of lists and pages in a real browser.

import { expect, inject, test } from 'vitest'
import { merchantOf, simulate } from '../../packages/server/test/support/merchant.ts'
import { ownClient } from '../own-client.ts'
import { barriers } from '../site/browser.ts'
import { newKeyButton } from './api-keys.page.ts'
import { cuttable } from './cuttable.ts'
import { openDashboard, picture } from './dashboard.ts'
import { paymentRow, waitForStatus } from './payments.page.ts'
import { openArea, waitForHeading, waitForLiveUpdates } from './shell.page.ts'
import { callbackUrlField } from './webhooks.page.ts'

const demo = inject('demo')
const shop = merchantOf(demo)

test('a payment appears in the list when it is created and changes to paid without a reload', async () => {
  const dashboard = await openDashboard(demo.client)
  const { page, complaints } = dashboard
  await dashboard.go('/payments')
  await page.evaluate(() => Object.assign(globalThis, { isSamePage: true }))
  await waitForLiveUpdates(page)
  const { data: payment } = await shop.create()
  await waitForStatus(page, payment.payment_code, 'Pending')
  await simulate(demo, payment, 'paid')
  await waitForStatus(page, payment.payment_code, 'Paid')
  expect(await page.evaluate(() => 'isSamePage' in globalThis)).toBe(true)
  expect(complaints).toEqual([])
})

test('a filtered payment list adds payments that now match the filter and removes payments that no longer match', async () => {
  const { data: first } = await shop.create()
  const dashboard = await openDashboard(demo.client)
  const { page } = dashboard
  await dashboard.go('/payments?status=pending')
  await waitForLiveUpdates(page)
  await paymentRow(page, first.payment_code).waitFor()
  await simulate(demo, first, 'paid')
  await paymentRow(page, first.payment_code).waitFor({ state: 'detached' })
  const { data: second } = await shop.create()
  await paymentRow(page, second.payment_code).waitFor()
})

test('the Owner sees on open pages that a merchant’s payment was paid, without a reload', async () => {
  const { data: payment } = await shop.create()
  const list = await openDashboard(demo.owner)
  const tenant = `/tenants/${demo.client.tenant_id}`
  await list.go(`${tenant}?tab=payments&mode=test`)
  await waitForStatus(list.page, payment.payment_code, 'Pending')
  const single = await openDashboard(demo.owner)
  await single.go(`${tenant}/payments/${payment.id}`)
  await single.page.getByText(/· Pending ·/).waitFor()
  await simulate(demo, payment, 'paid')
  await waitForStatus(list.page, payment.payment_code, 'Paid')
  await single.page.getByText(/· Paid ·/).waitFor()
  await single.page.getByText('Webhook payment.paid').waitFor()
})

test('a newly opened list shows changes made between its first fetch and the start of live updates', async () => {
  const dashboard = await openDashboard(demo.client)
  const { page } = dashboard
  const isOpening = Promise.withResolvers<void>()
  const mayOpen = Promise.withResolvers<void>()
  await page.route('**/trpc/live.changes*', async route => {
    isOpening.resolve()
    await mayOpen.promise
    await route.continue()
  })
  await dashboard.go('/payments')
  await isOpening.promise
  const { data: payment } = await shop.create()
  mayOpen.resolve()
  await waitForLiveUpdates(page)
  await paymentRow(page, payment.payment_code).waitFor()
})

test('once a lost connection is restored, the list shows the changes that it missed', async () => {
  const link = await cuttable(demo.base_url)
  const dashboard = await openDashboard(demo.client, {}, link.url)
  const { page } = dashboard
  await dashboard.go('/payments')
  await waitForLiveUpdates(page)
  link.cut()
  await page.getByRole('img', { name: /^Reconnecting/ }).waitFor()
  const strip = page.getByRole('status').filter({ hasText: /^Connection lost at \d\d:\d\d WIB/ })
  await strip.waitFor()
  expect(await barriers(page)).toEqual([])
  await picture(dashboard, 'connection lost')
  const { data: meanwhile } = await shop.create()
  await simulate(demo, meanwhile, 'paid')
  link.mend()
  await waitForStatus(page, meanwhile.payment_code, 'Paid')
  await waitForLiveUpdates(page)
  await strip.waitFor({ state: 'detached' })
  const { data: afterwards } = await shop.create()
  await paymentRow(page, afterwards.payment_code).waitFor()
})

test('after a short interruption, payments beyond the first page of the list show their new status', async () => {
  const own = { ...demo, client: { ...demo.client, ...(await ownClient(demo)) } }
  const merchant = merchantOf(own)
  const { data: oldest } = await merchant.create()
  for (let batch = 0; batch < 11; batch++)
    await Promise.all(Array.from({ length: 10 }, () => merchant.create()))
  const link = await cuttable(demo.base_url)
  const dashboard = await openDashboard(own.client, {}, link.url)
  const { page } = dashboard
  await dashboard.go('/payments?mode=test')
  await waitForLiveUpdates(page)
  await page.mouse.move(700, 600)
  const row = paymentRow(page, oldest.payment_code)
  await expect
    .poll(async () => {
      await page.mouse.wheel(0, 2_000)
      return row.count()
    })
    .toBe(1)
  link.cut()
  await page.getByRole('img', { name: /^Reconnecting/ }).waitFor()
  await simulate(own, oldest, 'paid')
  link.mend()
  await waitForStatus(page, oldest.payment_code, 'Paid')
})

test('a page opened while the service is unavailable shows an error, and loads once the service is available', async () => {
  const link = await cuttable(demo.base_url)
  const dashboard = await openDashboard(demo.client, {}, link.url)
  await dashboard.go('/')
  const { page } = dashboard
  await waitForLiveUpdates(page)
  link.cut()
  for (const name of ['Ledger', 'API keys']) {
    await openArea(page, name)
    await waitForHeading(page, name)
    await page.getByRole('alert').filter({ hasText: 'The service is not responding' }).waitFor()
    expect(await page.title()).toBe(`${name} · Gapura`)
  }
  link.mend()
  await newKeyButton(page).waitFor()
})

test('a dashboard page whose script no longer exists reloads once, but not endlessly', async () => {
  const dashboard = await openDashboard(demo.client)
  await dashboard.go('/')
  const { page } = dashboard
  await waitForLiveUpdates(page)
  let loads = 0
  page.on('load', () => loads++)
  await page.route('**/assets/webhooks-page*.js', route => route.fulfill({ status: 404 }))
  await openArea(page, 'Webhooks')
  await expect.poll(() => loads).toBe(1)
  await page.getByRole('button', { name: 'Try again' }).waitFor()
  await waitForLiveUpdates(page)
  await page.waitForTimeout(2_000)
  expect(loads).toBe(1)
  await page.unroute('**/assets/webhooks-page*.js')
  await page.getByRole('button', { name: 'Try again' }).click()
  await callbackUrlField(page).waitFor()
})

test('if the service is unavailable, the dashboard shows an error page until the service responds', async () => {
  const dashboard = await openDashboard(demo.client)
  const { page } = dashboard
  await page.route('**/trpc/**', route => route.abort())
  await page.goto(`${demo.base_url}/dashboard/payments`)
  await waitForHeading(page, 'No connection')
  await page.getByRole('button', { name: 'Bahasa Indonesia' }).waitFor()
  expect(await barriers(page)).toEqual([])
  await picture(dashboard, 'service away')
  await page.unroute('**/trpc/**')
  await waitForHeading(page, 'Payments')
})
