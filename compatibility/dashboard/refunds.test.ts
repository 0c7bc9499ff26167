// Tests refunds in a real browser: the form on a payment's page, the list, and the queue of refunds whose outcome the
// Owner must record.

import { randomUUID } from 'node:crypto'
import { expect, inject, test } from 'vitest'
import { http, logIn, merchantOf, simulate, until } from '../../packages/server/test/support/merchant.ts'
import { barriers, overflow } from '../site/browser.ts'
import { openDashboard, picture, settled } from './dashboard.ts'
import { paidPayment, qris } from './paid-payment.ts'
import { fillBankAccount, openRefund, openRefundForm } from './refunds.page.ts'
import { waitForLiveUpdates } from './shell.page.ts'

const demo = inject('demo')
const shop = merchantOf(demo)

const manualRefund = (payment: { id: string }, amount: number) =>
  shop.call('POST', `/v1/payments/${payment.id}/refunds`, {
    body: { amount, bank_account: { bank: 'BCA', number: '1234567890', holder_name: 'Budi Santoso' } },
    headers: { 'x-idempotency-key': randomUUID() },
  })

test('a merchant refunds part of a payment, and the payment’s page shows the refund without a reload', async () => {
  const payment = await paidPayment(demo, qris)
  const dashboard = await openDashboard(demo.client)
  const { page, complaints } = dashboard
  await dashboard.go(`/payments/${payment.id}`)
  await waitForLiveUpdates(page)
  const dialog = await openRefundForm(page)
  await dialog.getByText(/You can refund this payment until .* WIB, 7 days after it was paid/).waitFor()
  await dialog.getByRole('textbox', { name: 'Amount to refund' }).fill('1.5')
  await dialog.getByText('Enter an amount such as 1,500,000 or 1500000').waitFor()
  expect(await dialog.getByRole('button', { name: /^Refund Rp/ }).isDisabled()).toBe(true)
  await dialog.getByRole('textbox', { name: 'Amount to refund' }).fill('100001')
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('one book was missing')
  await dialog.getByRole('button', { name: /^Refund Rp/ }).click()
  await dialog.getByText(/At most Rp\s100,000 is left to refund/).waitFor()
  await dialog.getByRole('textbox', { name: 'Amount to refund' }).fill('40000')
  await dialog.getByText(/Rp\s40,000 is debited from your balance now, and Midtrans returns/).waitFor()
  expect(await barriers(page)).toEqual([])
  await picture(dashboard, 'client, refund form')
  await dialog.getByRole('button', { name: /^Refund Rp\s40,000$/ }).click()
  await dialog.waitFor({ state: 'hidden' })
  await page.getByText(/Refund requested · Rp\s40,000/).waitFor()
  await page.getByText(/Refunded to the payer · Rp\s40,000/).waitFor()
  await page
    .getByRole('status')
    .filter({ hasText: /Rp\s40,000 refunded/ })
    .waitFor()
  await page.getByText(/^−Rp\s40,000$/).waitFor()
  const { data } = await shop.get(payment.id)
  expect([data.status, data.amount_refunded]).toEqual(['paid', 4_000_000])
  expect(complaints).toEqual([])
})

test('if the provider cannot refund a payment, the form explains why and offers a bank transfer', async () => {
  const payment = await paidPayment(demo)
  const reference = `${payment.payment_code}-R1`
  const merchant = await openDashboard(demo.client)
  await merchant.go(`/payments/${payment.id}`)
  const dialog = await openRefundForm(merchant.page)
  await dialog.getByText('Midtrans cannot refund BCA payments.').waitFor()
  await dialog.getByRole('button', { name: /^Refund Rp/ }).click()
  await expect.poll(() => dialog.locator('input[aria-invalid=true]').count()).toBe(3)
  await fillBankAccount(dialog)
  await dialog.getByRole('button', { name: /^Refund Rp\s100,000$/ }).click()
  await dialog.waitFor({ state: 'hidden' })
  await merchant.page.getByText(/Refund requested · Rp\s100,000/).waitFor()
  await merchant.page.getByRole('button', { name: 'Refund…' }).waitFor({ state: 'detached' })

  const owner = await openDashboard(demo.owner)
  const { page } = owner
  await owner.go('/inbox?tab=refunds')
  const drawer = await openRefund(page, reference)
  await drawer.getByText('1234567890').waitFor()
  const record = drawer.getByRole('button', { name: 'Record outcome' })
  await record.waitFor()
  expect(await record.isDisabled()).toBe(true)
  await drawer.getByRole('radio', { name: 'Refunded', exact: true }).check()
  await drawer.getByRole('button', { name: 'Mark as refunded' }).click()
  await drawer.getByText('Enter the reference of your bank transfer').waitFor()
  await drawer.getByRole('textbox', { name: 'Transfer reference' }).fill('TRF-1')
  expect(await barriers(page)).toEqual([])
  await picture(owner, 'owner, settle refund')
  await drawer.getByRole('button', { name: 'Mark as refunded' }).click()
  await drawer.waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: reference }).waitFor({ state: 'detached' })
  await merchant.page.getByText('Fully refunded').waitFor()
  expect((await shop.get(payment.id)).data.amount_refunded).toBe(10_000_000)
})

test('if the Owner rejects a manual refund, its amount is credited back to the merchant', async () => {
  const payment = await paidPayment(demo)
  await manualRefund(payment, 2_500_000)
  const merchant = await openDashboard(demo.client)
  await merchant.go(`/payments/${payment.id}`)
  const owner = await openDashboard(demo.owner)
  await owner.go('/inbox?tab=refunds')
  const drawer = await openRefund(owner.page, `${payment.payment_code}-R1`)
  await drawer.getByRole('radio', { name: 'Not refunded' }).check()
  await drawer.getByText(/Rp\s25,000 will be credited back to the merchant/).waitFor()
  const record = drawer.getByRole('button', { name: 'Mark as not refunded' })
  await record.click()
  await drawer.getByText('Must not be empty').waitFor()
  await drawer.getByRole('textbox', { name: 'Reason' }).fill('the bank account is closed')
  await record.click()
  await drawer.waitFor({ state: 'hidden' })
  await merchant.page.getByText(/Refund failed and credited back · Rp\s25,000/).waitFor()
  await merchant.page.getByText(/^\+Rp\s25,000$/).waitFor()
  await merchant.page
    .getByText(/the bank account is closed/)
    .first()
    .waitFor()
})

test('recording a Midtrans chargeback as won fails as long as Midtrans still reports the chargeback', async () => {
  const payment = await paidPayment(demo, qris)
  await simulate(demo, payment, 'chargeback')
  await until(
    'the chargeback is debited',
    async () => (await shop.get(payment.id)).data.amount_reversed === 10_000_000,
  )
  const owner = await openDashboard(demo.owner)
  const { page } = owner
  await owner.go('/refunds')
  const drawer = await openRefund(page, `${payment.payment_code}-R1`)
  await drawer.getByRole('button', { name: 'Chargeback won…' }).click()
  await drawer.getByText(/Rp\s100,000 is then credited back to the merchant/).waitFor()
  const record = drawer.getByRole('button', { name: 'Record as won' })
  await record.click()
  await drawer.getByText('Must not be empty').waitFor()
  await drawer.getByRole('textbox', { name: 'Reason' }).fill('the bank decided for the merchant')
  await record.click()
  await drawer.getByText('Midtrans still reports this chargeback').waitFor()
  expect(await barriers(page)).toEqual([])
  await picture(owner, 'owner, won chargeback')
  // This test fakes the service's response, because the sandbox never removes a chargeback from an order.
  // won-chargeback.test.ts tests the real response.
  await page.route(/refunds\.resolve/, route => route.fulfill({ json: [{ result: { data: null } }] }))
  const sent = page.waitForRequest(/refunds\.resolve/)
  await record.click()
  await drawer.waitFor({ state: 'hidden' })
  await page.getByText('Chargeback recorded as won').waitFor()
  expect(JSON.stringify((await sent).postDataJSON())).toContain(
    '"outcome":"failed","reason":"the bank decided for the merchant"',
  )

  const merchant = await openDashboard(demo.client)
  await merchant.go('/refunds')
  const seen = await openRefund(merchant.page, `${payment.payment_code}-R1`)
  await seen.getByText('Chargeback', { exact: true }).waitFor()
  expect(await seen.getByRole('button', { name: 'Chargeback won…' }).count()).toBe(0)
})

test('a credited-back chargeback shows its actual reason, even if the chargeback was not won', async () => {
  const payment = await paidPayment(demo, {
    method_type: 'virtual_account',
    method_detail: { type: 'virtual_account', bank: 'BJB' },
  })
  await simulate(demo, payment, 'dispute_won')
  const dashboard = await openDashboard(demo.client)
  const { page } = dashboard
  const reference = `${payment.payment_code}-R1`
  await dashboard.go('/refunds')
  await page.getByRole('combobox', { name: 'Status' }).click()
  await page.getByRole('option', { name: 'Failed or credited back' }).click()
  const won = await openRefund(page, reference)
  await won.getByText('Credited back', { exact: true }).waitFor()
  await won.getByText('The chargeback was won.').waitFor()
  // The sandbox cannot correct a chargeback's amount.
  await page.route(/refunds\.listDetails/, async route => {
    const response = await route.fetch()
    const body = (await response.text()).replaceAll(
      'the chargeback was won',
      'the provider later reported a different amount for this chargeback',
    )
    await route.fulfill({ response, body })
  })
  await dashboard.go('/refunds?status=failed')
  const corrected = await openRefund(page, reference)
  await corrected.getByText('Credited back', { exact: true }).waitFor()
  await corrected.getByText('The provider later reported a different amount for this chargeback').waitFor()
  expect(await corrected.getByText(/won/i).count()).toBe(0)
})

test('a merchant can erase the bank account in a refund if the payment has no other payer data', async () => {
  const payment = await paidPayment(demo, { customer_name: undefined })
  const { data: refund } = await manualRefund(payment, 1_000_000)
  const { status } = await http('POST', `${demo.base_url}/v1/refunds/${refund.id}/resolve`, {
    auth: await logIn(demo, demo.owner),
    body: { outcome: 'succeeded', bank_reference: 'TRF-1' },
  })
  expect(status).toBe(200)
  const dashboard = await openDashboard(demo.client)
  const { page } = dashboard
  await dashboard.go(`/payments/${payment.id}`)
  const open = page.getByRole('button', { name: 'Erase customer data' })
  await open.click()
  await page.getByRole('dialog').getByRole('button', { name: 'Erase', exact: true }).click()
  await open.waitFor({ state: 'detached' })
  await dashboard.go('/refunds?mode=test')
  const drawer = await openRefund(page, `${payment.payment_code}-R1`)
  await drawer.getByText('BCA', { exact: true }).waitFor()
  expect(await drawer.getByText(/1234567890|Budi Santoso/).count()).toBe(0)
})

test('the refund list can be filtered, and a new refund appears in it without a reload', async () => {
  const payment = await paidPayment(demo)
  const dashboard = await openDashboard(demo.client)
  const { page, complaints } = dashboard
  await dashboard.go('/refunds?status=pending')
  await waitForLiveUpdates(page)
  await manualRefund(payment, 1_000_000)
  const drawer = await openRefund(page, `${payment.payment_code}-R1`)
  await drawer.getByText('Bank transfer by the operator').waitFor()
  await drawer.getByRole('link', { name: 'Open payment' }).click()
  await page.getByRole('heading', { level: 1, name: payment.payment_code }).waitFor()
  await dashboard.go('/refunds?status=failed')
  expect(await page.getByRole('button', { name: payment.payment_code }).count()).toBe(0)
  await page.setViewportSize({ width: 360, height: 780 })
  await settled(dashboard)
  expect(await overflow(page)).toBe(0)
  expect(complaints).toEqual([])
})

test("a user with only the `viewer` permission sees a payment's refunds but cannot refund the payment", async () => {
  const payment = await paidPayment(demo)
  await manualRefund(payment, 1_000_000)
  const viewer = { email: `${randomUUID()}@example.com`, password: 'long enough' }
  await http('POST', `${demo.base_url}/v1/tenants/${demo.client.tenant_id}/users`, {
    auth: await logIn(demo, demo.owner),
    body: { ...viewer, permissions: ['viewer'] },
  })
  const dashboard = await openDashboard({ ...demo.client, ...viewer })
  await dashboard.go(`/payments/${payment.id}`)
  await dashboard.page.getByText(/Refund requested · Rp\s10,000/).waitFor()
  expect(await dashboard.page.getByRole('button', { name: 'Refund…' }).count()).toBe(0)
})
