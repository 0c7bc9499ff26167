// Tests the forms in which the Owner (the service's operator) decides on unexpected money.

import { expect, inject, test } from 'vitest'
import { http, logIn, merchantOf, simulate, until } from '../../packages/server/test/support/merchant.ts'
import { openDashboard } from './dashboard.ts'
import { openMoney } from './inbox.page.ts'
import { fillBankAccount } from './refunds.page.ts'
import { switchLanguage } from './shell.page.ts'

const demo = inject('demo')
const shop = merchantOf(demo)

/** Creates a payment of Rp 100,000 and pays another amount. Returns the payment with its record of unexpected money. */
async function unexpectedly(paidCents: number) {
  const auth = await logIn(demo, demo.owner)
  const { data: payment } = await shop.create()
  await simulate(demo, payment, 'paid', { amount: paidCents })
  const find = async () => {
    const { data } = await http('GET', `${demo.base_url}/v1/unexpected-money?payment_id=${payment.id}`, {
      auth,
    })
    return data.items[0]
  }
  await until('the unexpected money is recorded', find)
  return { payment, find }
}

test('if the Owner clears the amount of a refund, nothing is refunded until an amount is entered', async () => {
  const { payment, find } = await unexpectedly(12_000_000)
  const dashboard = await openDashboard(demo.owner)
  await dashboard.go('/inbox?mode=test')
  const drawer = await openMoney(dashboard.page, payment.payment_code)
  await drawer.getByRole('button', { name: 'Refund' }).click()
  await drawer.getByRole('checkbox', { name: /Transfer the money/ }).check()
  await fillBankAccount(drawer)
  await drawer.getByRole('textbox', { name: 'Reason' }).fill('agreed by phone')
  await drawer.getByRole('textbox', { name: 'Amount to refund' }).fill('')
  await drawer.getByRole('button', { name: 'Refund', exact: true }).click()
  await drawer.getByText('Enter an amount').waitFor()
  expect(await find()).toMatchObject({ status: 'open', refund_id: null })
  await drawer.getByRole('textbox', { name: 'Amount to refund' }).fill('5000')
  await drawer.getByRole('button', { name: /^Refund Rp\s5,000$/ }).click()
  const { refund_id } = await until('the refund is recorded', async () => {
    const record = await find()
    return record.refund_id !== null && record
  })
  expect((await shop.call('GET', `/v1/refunds/${refund_id}`)).data.amount).toBe(500_000)
})

test('in Indonesian, the form says that Gapura by default confirms a partial payment with the provider first', async () => {
  const { payment } = await unexpectedly(4_000_000)
  const dashboard = await openDashboard(demo.owner)
  const { page } = dashboard
  await dashboard.go('/inbox?mode=test')
  await switchLanguage(page, 'Bahasa Indonesia')
  const drawer = await openMoney(page, payment.payment_code)
  await drawer.getByRole('button', { name: 'Terima', exact: true }).click()
  await drawer.getByText(/^Tanpa opsi ini, Gapura lebih dulu memastikan ke penyedia/).waitFor()
})
