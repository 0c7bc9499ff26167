// Tests in a real browser that the refund form creates no unwanted refund if a response is lost or a request is rejected.

import { randomUUID } from 'node:crypto'
import type { Locator, Page } from 'playwright-core'
import { expect, inject, test } from 'vitest'
import { merchantOf, until } from '../../packages/server/test/support/merchant.ts'
import { openDashboard } from './dashboard.ts'
import { paidPayment, qris } from './paid-payment.ts'
import { openRefundForm } from './refunds.page.ts'

const demo = inject('demo')
const shop = merchantOf(demo)

const refundsOf = async ({ id }: { id: string }) =>
  (await shop.call('GET', `/v1/payments/${id}/refunds`)).data

/**
 * Lets the service process the next refund that the dashboard page requests, but drops the response, so that
 * the page does not receive it.
 */
const loseNextResponse = (page: Page) =>
  page.route(
    /refunds\.create/,
    async route => {
      await route.fetch()
      await route.abort()
    },
    { times: 1 },
  )

/** Creates a paid payment, and opens the refund form on its page. */
async function paymentWithOpenForm() {
  const payment = await paidPayment(demo, qris)
  const dashboard = await openDashboard(demo.client)
  const { page } = dashboard
  await dashboard.go(`/payments/${payment.id}`)
  return { payment, dashboard, page, dialog: await openRefundForm(page) }
}

async function send(dialog: Locator, rupiah: string): Promise<void> {
  await dialog.getByRole('textbox', { name: 'Amount to refund' }).fill(rupiah)
  await dialog.getByRole('button', { name: /^Refund Rp/ }).click()
}

/** Submits the refund form and drops the response, so that the form shows an error. */
async function sendAndLose(page: Page, dialog: Locator, rupiah: string): Promise<void> {
  await loseNextResponse(page)
  await send(dialog, rupiah)
  await dialog.getByText('The service is not responding').waitFor()
}

async function close(page: Page, dialog: Locator): Promise<void> {
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
}

const earlierRefund = 'An earlier request has already created a refund'

test('after a lost response, sending a refund again with a changed reason creates no second refund', async () => {
  const { payment, page, dialog } = await paymentWithOpenForm()
  await sendAndLose(page, dialog, '20000')
  await dialog.getByText(/You can still refund up to Rp\s80,000/).waitFor()
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('one book was missing')
  await send(dialog, '20000')
  await dialog.getByText(earlierRefund).waitFor()
  expect(await refundsOf(payment)).toMatchObject([{ amount: 2_000_000 }])
  // The user has seen in the form that the first refund exists. Sending the form again is therefore not a
  // retry but creates a second refund.
  await send(dialog, '20000')
  await dialog.waitFor({ state: 'hidden' })
  await until(
    'both refunds have succeeded',
    async () => (await shop.get(payment.id)).data.amount_refunded === 4_000_000,
  )
})

test('if neither the response nor the page showed a refund, sending it again creates no second refund', async () => {
  const { payment, page, dialog } = await paymentWithOpenForm()
  await page.route(/refunds\.ofPayment/, route => route.abort())
  await sendAndLose(page, dialog, '20000')
  await close(page, dialog)
  await openRefundForm(page)
  await send(dialog, '20000')
  await dialog.waitFor({ state: 'hidden' })
  expect(await refundsOf(payment)).toMatchObject([{ amount: 2_000_000 }])
  // The first refund has been confirmed, so sending the same amount again is no longer a retry, but creates
  // another refund.
  await openRefundForm(page)
  await send(dialog, '20000')
  await dialog.waitFor({ state: 'hidden' })
  expect(await refundsOf(payment)).toHaveLength(2)
})

test('if the page shows a refund whose response was lost, sending it again reports that it exists', async () => {
  const { payment, page, dialog } = await paymentWithOpenForm()
  await sendAndLose(page, dialog, '20000')
  await close(page, dialog)
  await page.getByText(/Refund requested · Rp\s20,000/).waitFor()
  await openRefundForm(page)
  await send(dialog, '20000')
  await dialog.getByText(earlierRefund).waitFor()
  expect(await refundsOf(payment)).toMatchObject([{ amount: 2_000_000 }])
  // The form has already shown the user the first refund. If the user sends the form again, the user
  // therefore wants a second refund, and the request is not a retry.
  await send(dialog, '20000')
  await dialog.waitFor({ state: 'hidden' })
  expect(await refundsOf(payment)).toHaveLength(2)
})

test('after a lost response and a page reload, sending a refund again creates no second refund', async () => {
  const { payment, page, dialog } = await paymentWithOpenForm()
  await sendAndLose(page, dialog, '20000')
  await page.reload()
  await openRefundForm(page)
  await send(dialog, '20000')
  await dialog.getByText(earlierRefund).waitFor()
  expect(await refundsOf(payment)).toMatchObject([{ amount: 2_000_000 }])
  // The form has already shown the user the first refund, so sending the form again after another reload
  // creates a second refund.
  await page.reload()
  await openRefundForm(page)
  await send(dialog, '20000')
  await dialog.waitFor({ state: 'hidden' })
  expect(await refundsOf(payment)).toHaveLength(2)
})

test('if the user leaves during a refund and returns, sending it again creates no second refund', async () => {
  const { payment, dashboard, page, dialog } = await paymentWithOpenForm()
  let release = () => {}
  const released = new Promise<void>(resolve => (release = resolve))
  await page.route(
    /refunds\.create/,
    async route => {
      const response = await route.fetch()
      await released
      await route.fulfill({ response })
    },
    { times: 1 },
  )
  await send(dialog, '20000')
  await until('the refund exists', async () => (await refundsOf(payment)).length === 1)
  await dashboard.follow('/payments')
  await dashboard.follow(`/payments/${payment.id}`)
  await openRefundForm(page)
  release()
  await page
    .getByRole('alert')
    .getByText(/Refund in progress|Refunded/)
    .waitFor()
  await send(dialog, '20000')
  await dialog.getByText(earlierRefund).waitFor()
  expect(await refundsOf(payment)).toHaveLength(1)
})

test('if the response to a full refund is lost, the form stays open, and sending it again creates no second refund', async () => {
  const { payment, page, dialog } = await paymentWithOpenForm()
  await sendAndLose(page, dialog, '100000')
  await dialog.getByText(/You can still refund up to Rp\s0 /).waitFor()
  await page.getByText(/Refund requested · Rp\s100,000/).waitFor()
  await send(dialog, '100000')
  await dialog.getByText(earlierRefund).waitFor()
  await close(page, dialog)
  await page.getByText('Refunded', { exact: true }).first().waitFor()
  expect(await refundsOf(payment)).toMatchObject([{ amount: 10_000_000 }])
  expect(await page.getByRole('button', { name: 'Refund…' }).count()).toBe(0)
})

test('a lost response to one payment’s refund does not affect the next payment’s refund', async () => {
  const [lost, next] = [await paidPayment(demo, qris), await paidPayment(demo, qris)]
  const dashboard = await openDashboard(demo.client)
  const { page } = dashboard
  const open = async ({ id, payment_code }: typeof lost) => {
    await dashboard.follow(`/payments/${id}`)
    await page.getByRole('heading', { level: 1, name: payment_code }).waitFor()
    await page.getByRole('button', { name: 'Refund…' }).waitFor()
  }
  await dashboard.go('/payments')
  // Opens the payment `next` first, so that its data is cached. The page can then show it later without a
  // loading state.
  await open(next)
  await open(lost)
  const dialog = await openRefundForm(page)
  await sendAndLose(page, dialog, '20000')
  await close(page, dialog)
  await open(next)
  await openRefundForm(page)
  await send(dialog, '20000')
  await dialog.waitFor({ state: 'hidden' })
  expect(await refundsOf(next)).toMatchObject([{ amount: 2_000_000 }])
})

test('after a refund is rejected, the form allows at most the amount that is now left to refund', async () => {
  const { payment, page, dialog } = await paymentWithOpenForm()
  // Another user refunds most of the payment just before the dashboard's refund request reaches the service.
  await page.route(
    /refunds\.create/,
    async route => {
      await shop.call('POST', `/v1/payments/${payment.id}/refunds`, {
        body: { amount: 9_000_000 },
        headers: { 'x-idempotency-key': randomUUID() },
      })
      await route.continue()
    },
    { times: 1 },
  )
  await send(dialog, '20000')
  const rejection = dialog.getByText(/At most Rp\s10,000 is left to refund/)
  await rejection.waitFor()
  await dialog.getByText(/You can still refund up to Rp\s10,000/).waitFor()
  let requests = 0
  page.on('request', request => {
    if (request.url().includes('refunds.create')) requests++
  })
  await dialog.getByRole('textbox', { name: 'Amount to refund' }).fill('10001')
  await rejection.waitFor({ state: 'hidden' })
  await dialog.getByRole('button', { name: /^Refund Rp/ }).click()
  await rejection.waitFor()
  expect(requests).toBe(0)
})
