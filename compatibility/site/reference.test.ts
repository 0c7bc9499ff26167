// Tests the API reference in a real browser that can reach only the service.

import type { Page } from 'playwright-core'
import { expect, inject, test } from 'vitest'
import { barriers, overflow, type Visit, visit } from './browser.ts'

const { base_url: base, client } = inject('demo')

type OpenApi = {
  paths: Record<string, Record<string, { summary?: string }>>
  webhooks?: Record<string, Record<string, { summary?: string }>>
}
const openapi = (await (await fetch(`${base}/openapi.json`)).json()) as OpenApi

async function openReference(options: Parameters<typeof visit>[1] = {}): Promise<Visit> {
  const visited = await visit('/docs/reference', options)
  await visited.page.getByRole('heading', { name: 'Gapura API' }).waitFor()
  return visited
}

test.each(['light', 'dark'] as const)(
  'the API reference opens without errors and contacts no other host, %s',
  async colorScheme => {
    const { page, complaints, end } = await openReference({ colorScheme })
    await page.waitForLoadState('networkidle')
    expect(await page.evaluate(() => document.body.className)).toContain(`${colorScheme}-mode`)
    expect(complaints).toEqual([])
    await end()
  },
)

test.each(['light', 'dark'] as const)(
  'the API reference has no accessibility violation except in Scalar’s own key field, %s',
  async colorScheme => {
    const { page, end } = await openReference({ colorScheme })
    expect((await barriers(page)).filter(each => !each.endsWith(': .code-input-lite__editor'))).toEqual([])
    expect(await page.getByRole('main').count()).toBe(1)
    await end()
  },
)

test('the API reference follows the system to dark mode', async () => {
  const { page, end } = await openReference({ colorScheme: 'light' })
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.waitForFunction(() => document.body.matches('.dark-mode:not(.light-mode)'))
  await end()
})

test('the API reference shows every operation and every webhook of the API document', async () => {
  const { page, complaints, end } = await openReference()
  await openAll(page)
  const listed = await page.getByRole('complementary').getByRole('link').allInnerTexts()
  const names = new Set(listed.map(text => text.split('\n')[0]))
  const summaries = [openapi.paths, openapi.webhooks ?? {}]
    .flatMap(group => Object.values(group))
    .flatMap(item => Object.values(item))
    .flatMap(({ summary }) => summary ?? [])
  expect(summaries.length).toBeGreaterThan(50)
  expect(Object.keys(openapi.webhooks ?? {}).length).toBeGreaterThan(0)
  expect(summaries.filter(summary => !names.has(summary))).toEqual([])
  expect(complaints).toEqual([])
  await end()
})

async function openAll(page: Page): Promise<void> {
  const closed = page.getByRole('button', { name: /^Open Group/ })
  while ((await closed.count()) > 0) await closed.first().click()
}

test('a request sent from the API reference gets a response from this service', async () => {
  const { page, complaints, end } = await openReference()
  await page.getByRole('link', { name: 'List active payment methods' }).first().click()
  await page.getByRole('button', { name: /Test Request.*get \/v1\/active-methods\)/ }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox').first().fill(`ApiKey ${client.test_key}`)
  const [answer] = await Promise.all([
    page.waitForResponse(response => new URL(response.url()).pathname === '/v1/active-methods'),
    dialog.getByRole('button', { name: /^Send get request/ }).click(),
  ])
  expect(answer.status()).toBe(200)
  expect(await answer.json()).toMatchObject({ success: true, data: { providers: expect.any(Array) } })
  await dialog.getByText('200 OK').waitFor()
  expect(complaints).toEqual([])
  await end()
})

test('the API reference offers no third-party chat, registration, account or link', async () => {
  const { page, end } = await openReference()
  await openAll(page)
  const links = await page
    .locator('#reference a[href]')
    .filter({ visible: true })
    .evaluateAll(all => all.map(each => each.getAttribute('href') ?? ''))
  expect(links.length).toBeGreaterThan(50)
  expect(links.filter(href => !href.startsWith('#'))).toEqual([])
  const words = /scalar|\bask\b|agent|\bMCP\b|register|sign up|deploy|share|API client/i
  expect(await page.getByRole('button', { name: words }).allInnerTexts()).toEqual([])
  await end()
})

test('the API reference fits the screen of a phone', async () => {
  const { page, end } = await openReference({ viewport: { width: 360, height: 740 } })
  expect(await overflow(page)).toBe(0)
  await end()
})

test('without JavaScript the API reference links to the API document', async () => {
  const { page, end } = await visit('/docs/reference', { javaScriptEnabled: false })
  expect(await page.getByRole('link', { name: 'OpenAPI document' }).isVisible()).toBe(true)
  await end()
})
