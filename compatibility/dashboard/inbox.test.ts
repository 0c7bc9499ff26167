// Tests the forms in which the Owner (the service's operator) decides on unexpected money.

import { expect, inject, test } from 'vitest'
import { http, logIn, merchantOf, simulate, until } from '../../packages/server/test/support/merchant.ts'
import { openDashboard } from './dashboard.ts'
import { openMoney } from './inbox.page.ts'
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

test('the Indonesian form says that a partial payment is checked with the provider only without the option to credit it unconfirmed', async () => {
  const { payment } = await unexpectedly(4_000_000)
  const dashboard = await openDashboard(demo.owner)
  const { page } = dashboard
  await dashboard.go('/inbox?mode=test')
  await switchLanguage(page, 'Bahasa Indonesia')
  const drawer = await openMoney(page, payment.payment_code)
  await drawer.getByRole('button', { name: 'Terima', exact: true }).click()
  await drawer.getByText(/^Tanpa opsi ini, Gapura lebih dulu memastikan ke penyedia/).waitFor()
})
