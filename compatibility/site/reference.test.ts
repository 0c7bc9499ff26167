// Tests the API reference in a real browser that can reach only the service.

import { spawnSync } from 'node:child_process'
import { expect, inject, test } from 'vitest'
import { merchantOf } from '../../packages/server/test/support/merchant.ts'
import { barriers, base, overflow, visit } from './browser.ts'

const demo = inject('demo')

test.each([
  '/docs/reference',
  '/docs/reference/payments',
  '/docs/reference/webhook-events',
  '/docs/reference/providers',
  '/docs/reference/exceptions',
])(
  'the page %s of the API reference has no accessibility violation in light or dark mode, and fits the screen of a phone',
  async path => {
    const { page, complaints, end } = await visit(path, { colorScheme: 'light' })
    expect(await barriers(page)).toEqual([])
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await barriers(page, 'color')).toEqual([])
    await page.setViewportSize({ width: 390, height: 844 })
    expect(await overflow(page)).toBe(0)
    expect(await barriers(page)).toEqual([])
    expect(complaints).toEqual([])
    await end()
  },
)

test('a link to an operation scrolls to the operation, and the banner does not cover the operation’s heading', async () => {
  const { page, end } = await visit('/docs/reference/payments#cancelPayment')
  const heading = await page.getByRole('heading', { name: 'Cancel a payment' }).boundingBox()
  expect(heading?.y).toBeGreaterThan(50)
  expect(heading?.y).toBeLessThan(200)
  await end()
})

test("a reader's chosen sample language is also used on the next page of the API reference", async () => {
  const { page, complaints, end } = await visit('/docs/reference/payments')
  const code = page.locator('#createPayment ~ .split .panel').filter({ visible: true }).first()
  expect(await code.textContent()).toContain('curl -s')
  await page.getByText('TypeScript', { exact: true }).first().click()
  expect(await code.textContent()).toContain('gapura.payments.create')
  await page.goto(`${base}/docs/reference/account`)
  const next = page.locator('.samples .panel').filter({ visible: true }).first()
  expect(await next.textContent()).toContain("from '@gapura/sdk'")
  expect(complaints).toEqual([])
  await end()
})

test('the curl sample in the API reference creates a payment after the reader has inserted an API key', async () => {
  const { page, end } = await visit('/docs/reference/payments')
  const sample = await page.locator('#createPayment ~ .split .panel code').first().textContent()
  const command = (sample ?? '')
    .replace(/http:\/\/127\.0\.0\.1:\d+/, base)
    .replace('gp_test_replace_this', demo.client.test_key)
  const { data } = JSON.parse(spawnSync('sh', ['-c', command], { encoding: 'utf8' }).stdout)
  expect(data).toMatchObject({ status: 'pending', idempotency_key: 'order-1001' })
  expect((await merchantOf(demo).get(data.id)).data.payment_code).toBe(data.payment_code)
  await end()
})

test('without JavaScript, the API reference shows all fields and samples', async () => {
  const { page, end } = await visit('/docs/reference/payments', { javaScriptEnabled: false })
  expect(await page.getByRole('heading', { name: 'Create a payment' }).isVisible()).toBe(true)
  await page.getByText('TypeScript', { exact: true }).first().click()
  expect(await page.getByText('gapura.payments.create').first().isVisible()).toBe(true)
  await end()
})
