// Opens every documentation page in a real browser.

import { expect, test } from 'vitest'
import { pages, sections } from '../../packages/server/src/docs/contents.ts'
import { barriers, overflow, visit } from './browser.ts'

const paths = ['/docs', ...pages.map(({ slug }) => `/docs/${slug}`)]
// Indonesian pages differ from English pages only in wording, so only one Indonesian page of each kind is opened.
const indonesian = ['/docs/id', '/docs/id/webhooks', '/docs/id/reference/payments']
const merchants = sections.find(({ audience }) => audience === 'merchants')?.pages.length ?? 0

test.each([...paths, ...indonesian, '/docs/no-such-page'])(
  'the documentation page %s opens without errors or accessibility violations, in light and dark mode and on a phone',
  async path => {
    const { page, complaints, end } = await visit(path, { colorScheme: 'light' })
    expect(await page.getByRole('main').count()).toBe(1)
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1)
    expect(await barriers(page)).toEqual([])
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await barriers(page, 'color')).toEqual([])
    await page.setViewportSize({ width: 360, height: 740 })
    // The page adapts to its new size in the next animation frame, so the test waits for this frame.
    await page.evaluate(() => new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve))))
    expect(await overflow(page)).toBe(0)
    expect(await barriers(page)).toEqual([])
    // Chromium logs a 404 response to the console. This is expected for the nonexistent page.
    expect(complaints.filter(each => !/status of 404/.test(each) || path !== '/docs/no-such-page')).toEqual(
      [],
    )
    await end()
  },
)

test('every documentation page can be reached from the first page through the “next page” links', async () => {
  const { page, complaints, end } = await visit('/docs')
  await page.getByRole('link', { name: 'Quick start' }).first().click()
  await page.waitForURL('**/docs/quick-start')
  const seen: string[] = []
  for (;;) {
    seen.push(new URL(page.url()).pathname)
    const current = page.getByRole('navigation', { name: 'Documentation' }).locator('[aria-current=page]')
    expect(await current.getAttribute('href')).toBe(seen.at(-1))
    const next = page.locator('a[rel=next]')
    if ((await next.count()) === 0) break
    const href = await next.getAttribute('href')
    await next.click()
    await page.waitForURL(({ pathname }) => pathname === href)
  }
  const guides = seen.filter(path => !path.startsWith('/docs/reference'))
  expect(guides).toEqual(paths.slice(1))
  // In the navigation order, the API reference follows the pages for merchants.
  expect(seen[merchants]).toBe('/docs/reference')
  expect(complaints).toEqual([])
  await end()
})

test('every link in the navigation and on the first documentation page leads to an existing page', async () => {
  const { page, end } = await visit('/docs/architecture')
  const links = await page
    .locator('a[href^="/"]')
    .evaluateAll(all => all.map(each => each.getAttribute('href')))
  await page.goto(page.url().replace('/architecture', ''))
  links.push(
    ...(await page.locator('a[href^="/"]').evaluateAll(all => all.map(each => each.getAttribute('href')))),
  )
  expect(new Set(links).size).toBeGreaterThan(paths.length)
  for (const link of new Set(links))
    expect((await page.request.get(new URL(link ?? '', page.url()).href)).status(), link ?? '').toBe(200)
  await end()
})

test('after a click in the table of contents, the banner does not cover the heading', async () => {
  const { page, end } = await visit('/docs/architecture')
  const link = page.getByRole('navigation', { name: 'On this page' }).getByRole('link', { name: 'Statuses' })
  expect(await link.getAttribute('aria-current')).toBeNull()
  await link.click()
  await page.waitForURL(({ hash }) => hash === '#statuses')
  const heading = await page.getByRole('heading', { name: 'Statuses' }).boundingBox()
  const banner = await page.getByRole('banner').boundingBox()
  expect(heading?.y).toBeGreaterThanOrEqual((banner?.y ?? 0) + (banner?.height ?? 0))
  expect(heading?.y).toBeLessThan(200)
  await page.locator('.toc [aria-current]').filter({ hasText: 'Statuses' }).waitFor()
  await end()
})

test("on a phone, the documentation's navigation opens and closes by keyboard alone", async () => {
  const { page, end } = await visit('/docs/architecture', { viewport: { width: 360, height: 740 } })
  const navigation = page.getByRole('navigation', { name: 'Documentation' })
  expect(await navigation.isVisible()).toBe(false)
  await page.getByRole('button', { name: 'Menu' }).focus()
  await page.keyboard.press('Enter')
  await navigation.waitFor({ state: 'visible' })
  expect(await overflow(page)).toBe(0)
  await page.keyboard.press('Escape')
  await navigation.waitFor({ state: 'hidden' })
  await end()
})

test("a documentation page's first Tab stop is a link that skips to the content", async () => {
  const { page, end } = await visit('/docs/architecture')
  await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to content')
  await page.keyboard.press('Enter')
  await page.waitForURL(({ hash }) => hash === '#site:main')
  await end()
})

test('a documentation page shows its complete text, navigation and table of contents without JavaScript', async () => {
  for (const viewport of [
    { width: 1280, height: 860 },
    { width: 360, height: 740 },
  ]) {
    const { page, end } = await visit('/docs/architecture', { javaScriptEnabled: false, viewport })
    expect(await page.getByRole('heading', { name: 'Statuses' }).isVisible()).toBe(true)
    if (viewport.width === 360) await page.getByRole('button', { name: 'Menu' }).click()
    expect(await page.getByRole('link', { name: 'Idempotency' }).isVisible()).toBe(true)
    expect(await page.getByRole('button', { name: 'Copy' }).count()).toBe(0)
    await end()
  }
})

test('a printed documentation page has its text, but no banner, navigation or buttons', async () => {
  const { page, end } = await visit('/docs/architecture')
  await page.emulateMedia({ media: 'print' })
  expect(await page.getByRole('heading', { name: 'Statuses' }).isVisible()).toBe(true)
  for (const role of ['banner', 'navigation', 'button'] as const)
    expect(await page.getByRole(role).filter({ visible: true }).count()).toBe(0)
  await end()
})
