// Tests the form that creates a test payment.

import { expect, inject, test } from 'vitest'
import { merchantOf } from '../../packages/server/test/support/merchant.ts'
import { barriers } from '../site/browser.ts'
import { openDashboard, picture } from './dashboard.ts'
import { chooseMethod, chooseWallet, createTestPayment } from './new-payment.page.ts'

const demo = inject('demo')

test("the test payment form shows the provider's reason for a rejection, and an error at each invalid field", async () => {
  const dashboard = await openDashboard(demo.client)
  const { page } = dashboard
  await dashboard.go('/payments/new')
  await chooseMethod(page, 'E-wallet')
  await chooseWallet(page, 'OVO')
  await createTestPayment(page)
  await page.getByText('Midtrans requires the payer’s mobile number for OVO').waitFor()
  expect(await page.getByRole('textbox', { name: /Phone/ }).getAttribute('aria-invalid')).toBe('true')
  await page.route('**/trpc/payments.create', route =>
    route.fulfill({
      status: 502,
      json: {
        error: {
          message: 'provider error [midtrans]: refused: Transaction is rejected by FDS',
          code: -32603,
          data: {
            ...{ code: 'INTERNAL_SERVER_ERROR', errorCode: 'PROVIDER_ERROR', httpStatus: 502 },
            fault: 'provider_refused',
            params: { provider: 'midtrans', reason: 'refused: Transaction is rejected by FDS' },
          },
        },
      },
    }),
  )
  await createTestPayment(page)
  const refusal = page
    .getByRole('alert')
    .filter({ hasText: 'Midtrans rejected the payment: Transaction is rejected' })
  await refusal.waitFor()
  expect(await barriers(page)).toEqual([])
  await picture(dashboard, 'new payment, refused')
  await page.unroute('**/trpc/payments.create')
  await chooseMethod(page, 'QRIS')
  await createTestPayment(page)
  await page.getByText('Test payment created').waitFor()
  await refusal.waitFor({ state: 'detached' })
})

test.each([
  [
    'English',
    'en-US',
    'The payer must confirm in the OVO app within 2 minutes, preferably right away: the request can expire after 55 seconds.',
  ],
  [
    'Indonesian',
    'id-ID',
    'Pembayar harus mengonfirmasi di aplikasi OVO dalam 2 menit, sebaiknya segera: permintaannya dapat kedaluwarsa setelah 55 detik.',
  ],
])(
  'the page of an OVO payment explains in %s that the payer must confirm the payment right away',
  async (_, locale, text) => {
    const order = {
      ...{ amount: 10_000_000, currency: 'IDR', customer_phone: '081234567890' },
      ...{ method_type: 'e_wallet', method_detail: { type: 'e_wallet', wallet_type: 'OVO' } },
    }
    const { data } = await merchantOf(demo).create(order)
    const dashboard = await openDashboard(demo.client, { locale })
    await dashboard.go(`/payments/${data.id}`)
    await dashboard.page.getByText(text).waitFor()
    await picture(dashboard, `OVO payment, ${locale}`)
  },
)
