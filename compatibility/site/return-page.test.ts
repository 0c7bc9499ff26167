// Tests the page to which a payer returns after a payment, in a real browser. The page must be readable and update
// without a reload.

import { expect, inject, test } from 'vitest'
import { merchantOf, simulate } from '../../packages/server/test/support/merchant.ts'
import { barriers, overflow, visit } from './browser.ts'

const demo = inject('demo')

test('the return page is accessible on a phone in light and dark mode, and updates without a reload', async () => {
  const { data: payment } = await merchantOf(demo).create({
    amount: 2_500_000,
    method_type: 'e_wallet',
    method_detail: { type: 'e_wallet', wallet_type: 'GOPAY' },
    return_url: 'https://shop.example/done',
  })
  const phone = { viewport: { width: 320, height: 640 }, locale: 'en-GB' }
  const { page, complaints, end } = await visit(`/return/${payment.payment_code}`, phone)
  const title = page.getByRole('heading', { level: 1 })
  expect(await title.textContent()).toBe('Waiting for your payment')
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    expect([await barriers(page), await overflow(page)]).toEqual([[], 0])
  }
  await page.evaluate(() => Object.assign(globalThis, { isSamePage: true }))
  await simulate(demo, payment, 'paid')
  await page.locator('main[data-status=paid]').waitFor()
  expect(await title.textContent()).toBe('Payment received')
  expect(await page.title()).toBe('Payment received')
  expect(await page.evaluate(() => 'isSamePage' in globalThis)).toBe(true)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    expect([await barriers(page), await overflow(page)]).toEqual([[], 0])
  }
  const back = page.getByRole('link', { name: 'Back to the shop' })
  expect(await back.getAttribute('href')).toBe('https://shop.example/done')
  expect(complaints).toEqual([])
  await end()
})
