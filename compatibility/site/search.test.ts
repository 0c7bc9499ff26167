// Tests the documentation search in a real browser.

import { expect, test } from 'vitest'
import { barriers, overflow, visit } from './browser.ts'

test('with the keyboard alone, a reader can find guides and operations and open their headings', async () => {
  const { page, complaints, end } = await visit('/docs/architecture')
  await page.keyboard.press('/')
  const input = page.getByRole('combobox', { name: 'Search the documentation' })
  await input.waitFor()
  expect(await input.evaluate(each => each === document.activeElement)).toBe(true)
  await page.keyboard.type('cancel a payment')
  const options = page.getByRole('option')
  await options.filter({ hasText: 'Cancel a payment' }).first().waitFor()
  expect(await input.getAttribute('aria-expanded')).toBe('true')
  expect(await barriers(page)).toEqual([])
  const wanted = await options.evaluateAll(all =>
    all.findIndex(each => each.getAttribute('data-href') === '/docs/reference/payments#cancelPayment'),
  )
  expect(wanted).toBeGreaterThanOrEqual(0)
  for (let at = 0; at < wanted; at++) await page.keyboard.press('ArrowDown')
  const active = await input.getAttribute('aria-activedescendant')
  expect(await page.locator(`[id="${active}"]`).getAttribute('aria-selected')).toBe('true')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/docs/reference/payments#cancelPayment')
  expect(complaints).toEqual([])
  await end()
})

test('a documentation search without results shows that it found nothing, and Escape closes the search', async () => {
  const { page, end } = await visit('/docs/architecture')
  await page.getByRole('button', { name: 'Search' }).click()
  await page.keyboard.type('xyzzyplugh')
  await page.getByRole('dialog').getByText('No results').waitFor()
  expect(await page.getByRole('option').count()).toBe(0)
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await end()
})

test('a slash typed into the documentation search becomes part of the search text', async () => {
  const { page, end } = await visit('/docs/architecture')
  await page.keyboard.press('/')
  await page.keyboard.type('/v1/payments')
  expect(await page.getByRole('combobox').inputValue()).toBe('/v1/payments')
  await end()
})

test("on a phone, the Indonesian documentation's search has Indonesian labels and leads to Indonesian pages", async () => {
  const { page, complaints, end } = await visit('/docs/id/webhooks', {
    viewport: { width: 390, height: 844 },
    colorScheme: 'dark',
  })
  await page.getByRole('button', { name: 'Cari' }).click()
  await page.getByRole('combobox', { name: 'Cari di dokumentasi' }).fill('createPayment')
  const first = page.getByRole('option').first()
  await first.waitFor()
  expect(await first.getAttribute('data-href')).toMatch(/^\/docs\/id\//)
  expect(await overflow(page)).toBe(0)
  expect(await barriers(page)).toEqual([])
  expect(complaints).toEqual([])
  await end()
})
