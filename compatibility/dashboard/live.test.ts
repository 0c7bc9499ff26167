// Tests lists and pages that update live, in a real browser.

import type { Locator, Page } from 'playwright-core'
import { expect, inject, test } from 'vitest'
import { merchantOf, simulate } from '../../packages/server/test/support/merchant.ts'
import { barriers } from '../site/browser.ts'
import { cuttable } from './cuttable.ts'
import { logIn, picture } from './dashboard.ts'

const demo = inject('demo')
const shop = merchantOf(demo)

const isConnected = 'Live updates are on'
/**
 * Returns the visible part of the row that shows the status. In a phone's layout the same value is also in the page at
 * a place that is hidden.
 */
const shows = (row: Locator, status: string) => row.getByText(status).filter({ visible: true })
const rowOf = (page: Page, code: string) => page.getByRole('row').filter({ hasText: code })

test('a payment appears in the list when it is created and changes to paid without a reload', async () => {
  const dashboard = await logIn(demo.client)
  const { page, complaints } = dashboard
  await dashboard.go('/payments')
  await page.evaluate(() => Object.assign(globalThis, { isSamePage: true }))
  await page.getByRole('img', { name: isConnected }).waitFor()
  const { data: payment } = await shop.create()
  await shows(rowOf(page, payment.payment_code), 'Pending').waitFor()
  await simulate(demo, payment, 'paid')
  await shows(rowOf(page, payment.payment_code), 'Paid').waitFor()
  expect(await page.evaluate(() => 'isSamePage' in globalThis)).toBe(true)
  expect(complaints).toEqual([])
  await dashboard.end()
})

test('a filtered payment list adds payments that start to match the filter and removes those that no longer match', async () => {
  const { data: first } = await shop.create()
  const dashboard = await logIn(demo.client)
  const { page } = dashboard
  await dashboard.go('/payments?status=pending')
  await page.getByRole('img', { name: isConnected }).waitFor()
  await rowOf(page, first.payment_code).waitFor()
  await simulate(demo, first, 'paid')
  await rowOf(page, first.payment_code).waitFor({ state: 'detached' })
  const { data: second } = await shop.create()
  await rowOf(page, second.payment_code).waitFor()
  await dashboard.end()
})

test('a lost connection is shown, and once it is restored the list catches up and keeps updating', async () => {
  const link = await cuttable(demo.base_url)
  const dashboard = await logIn(demo.client, {}, link.url)
  const { page } = dashboard
  await dashboard.go('/payments')
  await page.getByRole('img', { name: isConnected }).waitFor()
  link.cut()
  await page.getByRole('img', { name: /^Reconnecting/ }).waitFor()
  const strip = page.getByRole('status').filter({ hasText: /^Connection lost at \d\d:\d\d WIB/ })
  await strip.waitFor()
  expect(await barriers(page)).toEqual([])
  await picture(dashboard, 'connection lost')
  const { data: meanwhile } = await shop.create()
  await simulate(demo, meanwhile, 'paid')
  link.mend()
  await shows(rowOf(page, meanwhile.payment_code), 'Paid').waitFor()
  await page.getByRole('img', { name: isConnected }).waitFor()
  await strip.waitFor({ state: 'detached' })
  const { data: afterwards } = await shop.create()
  await rowOf(page, afterwards.payment_code).waitFor()
  await dashboard.end()
  link.end()
})

test('a page opened while the service is unavailable says so, and loads automatically once the service is back', async () => {
  const link = await cuttable(demo.base_url)
  const dashboard = await logIn(demo.client, {}, link.url)
  const { page } = dashboard
  await page.getByRole('img', { name: isConnected }).waitFor()
  link.cut()
  for (const name of ['Ledger', 'API keys']) {
    await page.getByRole('navigation').getByRole('link', { name }).click()
    await page.getByRole('heading', { level: 1, name }).waitFor()
    await page.getByRole('alert').filter({ hasText: 'The service is not responding' }).waitFor()
    expect(await page.title()).toBe(`${name} · Gapura`)
  }
  link.mend()
  await page.getByRole('button', { name: 'New key' }).waitFor()
  await dashboard.end()
  link.end()
})

test('a dashboard page whose script no longer exists is reloaded once, and not endlessly', async () => {
  const dashboard = await logIn(demo.client)
  const { page } = dashboard
  await page.getByRole('img', { name: isConnected }).waitFor()
  let loads = 0
  page.on('load', () => loads++)
  await page.route('**/assets/webhooks-page*.js', route => route.fulfill({ status: 404 }))
  await page.getByRole('navigation').getByRole('link', { name: 'Webhooks' }).click()
  await expect.poll(() => loads, { timeout: 30_000 }).toBe(1)
  await page.getByRole('button', { name: 'Try again' }).waitFor()
  await page.getByRole('img', { name: isConnected }).waitFor()
  await page.waitForTimeout(2_000)
  expect(loads).toBe(1)
  await page.unroute('**/assets/webhooks-page*.js')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('textbox', { name: /Where webhooks are sent/ }).waitFor()
  await dashboard.end()
})

test('during an outage the login page shows that the service is unavailable, and works once the service responds', async () => {
  const dashboard = await logIn(demo.client)
  const { page } = dashboard
  await page.route('**/trpc/**', route => route.abort())
  await page.goto(`${demo.base_url}/dashboard/payments`)
  await page.getByRole('heading', { level: 1, name: 'No connection' }).waitFor()
  await page.getByRole('button', { name: 'Bahasa Indonesia' }).waitFor()
  expect(await barriers(page)).toEqual([])
  await picture(dashboard, 'service away')
  await page.unroute('**/trpc/**')
  await page.getByRole('heading', { level: 1, name: 'Payments' }).waitFor()
  await dashboard.end()
})
