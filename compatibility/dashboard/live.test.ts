// Lists and pages that change by themselves, in a real browser.

import type { Locator, Page } from 'playwright-core'
import { expect, inject, test } from 'vitest'
import { merchantOf, simulate } from '../../packages/server/test/support/merchant.ts'
import { cuttable } from './cuttable.ts'
import { logIn } from './dashboard.ts'

const demo = inject('demo')
const shop = merchantOf(demo)

const isConnected = 'Changes are shown as they happen'
/** On a telephone some things stand elsewhere, and are hidden here. */
const shows = (row: Locator, status: string) => row.getByText(status).filter({ visible: true })
const rowOf = (page: Page, code: string) => page.getByRole('row').filter({ hasText: code })

test('a payment appears in the list when it is created, and turns paid when it is, without a reload', async () => {
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

test('a list that is filtered takes in what fits and lets go of what no longer does', async () => {
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

test('after a connection that was lost the list shows what happened meanwhile, and goes on', async () => {
  const link = await cuttable(demo.base_url)
  const dashboard = await logIn(demo.client, {}, link.url)
  const { page } = dashboard
  await dashboard.go('/payments')
  await page.getByRole('img', { name: isConnected }).waitFor()
  link.cut()
  await page.getByRole('img', { name: /^Reconnecting/ }).waitFor()
  const { data: meanwhile } = await shop.create()
  await simulate(demo, meanwhile, 'paid')
  link.mend()
  await shows(rowOf(page, meanwhile.payment_code), 'Paid').waitFor()
  await page.getByRole('img', { name: isConnected }).waitFor()
  const { data: afterwards } = await shop.create()
  await rowOf(page, afterwards.payment_code).waitFor()
  await dashboard.end()
  link.end()
})
