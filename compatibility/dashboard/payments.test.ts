// Tests the payment list's filters, search field and export.

import { expect, inject, test } from 'vitest'
import { merchantOf, simulate, until } from '../../packages/server/test/support/merchant.ts'
import { openDashboard, settled } from './dashboard.ts'
import { exportPayments, paymentRow } from './payments.page.ts'

const demo = inject('demo')
const shop = merchantOf(demo)

test('the payment list ignores an unknown filter value in the URL', async () => {
  const { data: payment } = await shop.create()
  const dashboard = await openDashboard(demo.client)
  const { page, complaints } = dashboard
  // The search for this payment's code excludes the payments of other tests, which could push this payment out of the
  // visible part of the list.
  await dashboard.go(`/payments?status=nonsense&from=rubbish&q=${payment.payment_code}`)
  await paymentRow(page, payment.payment_code).waitFor()
  expect(complaints).toEqual([])
})

test('typing in the search field and new payments in the list do not move the focus', async () => {
  await shop.create({ customer_name: 'Budi Santoso' })
  const dashboard = await openDashboard(demo.client)
  const { page } = dashboard
  await dashboard.go('/payments')
  await page.getByRole('searchbox').click()
  // With this delay, the page requests the list after each keystroke, not only at the end.
  await page.keyboard.type('Budi', { delay: 450 })
  await page.waitForURL(/[?&]q=Budi(&|$)/)
  expect(await page.getByRole('searchbox').inputValue()).toBe('Budi')
  await settled(dashboard)
  const link = page.getByRole('row').nth(1).getByRole('link').first()
  await link.focus()
  const { data: payment } = await shop.create({ customer_name: 'Budi Santoso' })
  await paymentRow(page, payment.payment_code).waitFor()
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('A')
})

test('clicking the header of the time column reverses the sort order and stores it in the URL', async () => {
  // The search excludes payments from other tests, which run at the same time.
  const create = async () => (await shop.create({ customer_name: 'Urutan' })).data.payment_code as string
  const oldest = await create()
  const newest = await create()
  const dashboard = await openDashboard(demo.client)
  const { page } = dashboard
  await dashboard.go('/payments?q=Urutan')
  const header = page.getByRole('columnheader', { name: 'Code, created' })
  const row = (number: number) => page.getByRole('row').nth(number)
  await row(1).getByText(newest).waitFor()
  expect(await header.getAttribute('aria-sort')).toBe('descending')
  await header.getByRole('button').click()
  await page.waitForURL(/[?&]order=oldest(&|$)/)
  await row(1).getByText(oldest).waitFor()
  expect(await header.getAttribute('aria-sort')).toBe('ascending')
  // The list is sorted from oldest to newest and has been loaded completely, so the new payment appears at
  // its end without a reload.
  const created = await create()
  await row(3).getByText(created).waitFor()
  await header.getByRole('button').focus()
  await page.keyboard.press('Enter')
  await row(1).getByText(created).waitFor()
  expect(new URL(page.url()).searchParams.has('order')).toBe(false)
})

test('the payment export contains all payments that match the filter, as a file that a spreadsheet can open', async () => {
  const paid: string[] = []
  while (paid.length < 11) {
    const { data: payment } = await shop.create()
    await simulate(demo, payment, 'paid')
    paid.push(payment.id)
  }
  for (const id of paid) await until('it is paid', async () => (await shop.get(id)).data.status === 'paid')
  const dashboard = await openDashboard(demo.client)
  await dashboard.go('/payments?status=paid')
  const { name, head, lines } = await exportPayments(dashboard.page)
  expect(name).toMatch(/^gapura-payments-test-\d{4}-\d{2}-\d{2}\.csv$/)
  expect(head).toMatch(/^id,payment_code,/)
  expect(lines.filter(line => !line.includes(',paid,'))).toEqual([])
  expect(lines.map(line => line.split(',')[0])).toEqual(expect.arrayContaining(paid))
})
