// Tests the page for a single payment in a real browser.

import { expect, inject, test } from 'vitest'
import { http, logIn, merchantOf, simulate, until } from '../../packages/server/test/support/merchant.ts'
import { openDashboard } from './dashboard.ts'
import { paidPayment } from './paid-payment.ts'
import { paymentRow } from './payments.page.ts'
import { waitForLiveUpdates } from './shell.page.ts'

const demo = inject('demo')

test("a reversed payment's page shows that the payment was reversed, and the amount that remains in the ledger", async () => {
  const payment = await paidPayment(demo)
  const dashboard = await openDashboard(demo.client)
  const { page, complaints } = dashboard
  await dashboard.go(`/payments/${payment.id}`)
  await page.getByText('Paid by the customer').waitFor()
  await simulate(demo, payment, 'failed')
  const alert = page.getByRole('alert').filter({ hasText: 'Reversed by the provider' })
  await alert.waitFor()
  expect(await alert.textContent()).toMatch(/Rp\s100,000 was debited from your balance/)
  await page.getByText('−Rp 100,000').waitFor()
  await page.getByText('Webhook payment.reversed').waitFor()
  expect(complaints).toEqual([])
})

test('after the customer pays again, the reversal notice no longer says that the order is unpaid', async () => {
  const auth = await logIn(demo, demo.owner)
  const payment = await paidPayment(demo)
  const acceptNext = async (kind: string) => {
    const url = `${demo.base_url}/v1/unexpected-money`
    const { id } = await until(`the record of the kind ${kind} exists`, async () => {
      const { data } = await http('GET', `${url}?payment_id=${payment.id}&kind=${kind}`, { auth })
      return data.items[0]
    })
    const { status } = await http('POST', `${url}/${id}/accept`, { auth, body: { reason: 'by phone' } })
    expect(status).toBe(200)
  }
  const dashboard = await openDashboard(demo.client)
  const { page } = dashboard
  await dashboard.go(`/payments/${payment.id}`)
  await simulate(demo, payment, 'paid', { amount: 13_000_000 })
  await acceptNext('increase')
  await simulate(demo, payment, 'failed')
  const alert = page.getByRole('alert').filter({ hasText: 'Reversed by the provider' })
  await alert.filter({ hasText: /Rp\s130,000 was debited from your balance\. Do not ship/ }).waitFor()
  await page.getByText('−Rp 130,000').waitFor()
  await simulate(demo, payment, 'paid')
  await acceptNext('paid_after_reversal')
  await alert.filter({ hasText: /Your balance now includes Rp\s\d/ }).waitFor()
  expect(await alert.textContent()).not.toContain('Do not ship')
})

test('a payment’s page shows the payment’s mode (live or test), whatever mode is selected in the list', async () => {
  const { data: live } = await merchantOf(demo, demo.client.live_key).create()
  const { data: tried } = await merchantOf(demo).create()
  const dashboard = await openDashboard(demo.client)
  const { page } = dashboard
  const sandbox = page.getByRole('link', { name: /sandbox/ })
  await dashboard.go(`/payments/${tried.id}`)
  await sandbox.waitFor()
  await dashboard.go(`/payments/${live.id}`)
  await page.getByRole('main').getByText('Live', { exact: true }).waitFor()
  expect(await sandbox.count()).toBe(0)
})

test('the link from a payment back to the list keeps the list’s filters', async () => {
  const { data: payment } = await merchantOf(demo).create()
  const dashboard = await openDashboard(demo.client)
  const { page } = dashboard
  await dashboard.go(`/payments?status=pending&q=${payment.payment_code}`)
  await page.getByRole('link', { name: payment.payment_code }).click()
  await page.getByRole('link', { name: 'All payments' }).click()
  await paymentRow(page, payment.payment_code).waitFor()
  expect(Object.fromEntries(new URL(page.url()).searchParams)).toMatchObject({
    status: 'pending',
    q: payment.payment_code,
  })
})

test('an action without a network connection fails immediately, and the dashboard does not retry it later', async () => {
  const shop = merchantOf(demo)
  const { data: payment } = await shop.create()
  const dashboard = await openDashboard(demo.client)
  const { page } = dashboard
  await dashboard.go(`/payments/${payment.id}`)
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.context().setOffline(true)
  // The browser may still send requests for a moment after it is set offline, so the test waits until a
  // request fails.
  await expect
    .poll(() =>
      page.evaluate(() =>
        fetch('/').then(
          () => 'sent',
          () => 'failed',
        ),
      ),
    )
    .toBe('failed')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  // The dialog closes when the action has ended. An alert does not prove that the action has ended: while the browser
  // is offline, the page's other requests also fail and show alerts.
  await dialog.waitFor({ state: 'hidden' })
  await page.getByRole('alert').filter({ visible: true }).first().waitFor()
  await page.context().setOffline(false)
  await waitForLiveUpdates(page)
  expect((await shop.get(payment.id)).data.status).toBe('pending')
})

test('if a client opens another client’s payment, the dashboard shows the payment as not found', async () => {
  const { data: payment } = await merchantOf(demo).create()
  const dashboard = await openDashboard(demo.client2)
  await dashboard.go(`/payments/${payment.id}`)
  await dashboard.page.getByRole('heading', { name: 'Payment not found' }).waitFor()
  expect(await dashboard.page.getByText(/Rp\s?\d/).count()).toBe(0)
})
