// Opens every page as each role that is allowed to open it, and checks the page's layout and accessibility. Also checks
// that other roles cannot open the page.

import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { barriers, base, overflow } from '../site/browser.ts'
import { type Dashboard, logIn, openDashboard, picture, routed, settled } from './dashboard.ts'
import { type Furnished, furnish } from './furnished.ts'
import { switchLanguage, waitForHeading } from './shell.page.ts'

const demo = inject('demo')

let furnished: Furnished
beforeAll(async () => {
  furnished = await furnish(demo)
})

const ofClient = [
  ['overview', () => '/'],
  ['payments', () => '/payments'],
  ['paid payment', () => `/payments/${furnished.paid.id}`],
  ['pending virtual account', () => `/payments/${furnished.pending[0]?.id}`],
  ['pending QRIS', () => `/payments/${furnished.pending[1]?.id}`],
  ['pending e-wallet', () => `/payments/${furnished.pending[2]?.id}`],
  ['pending at a store', () => `/payments/${furnished.pending[3]?.id}`],
  ['refunded payment', () => `/payments/${furnished.refunded.id}`],
  ['new payment', () => '/payments/new'],
  ['refunds', () => '/refunds'],
  ['ledger', () => '/ledger'],
  ['payment methods', () => '/payment-methods'],
  ['webhooks', () => '/webhooks'],
  ['delivery', () => `/webhooks/${furnished.event}`],
  ['endpoint', () => `/webhooks/endpoints/${furnished.endpoint}`],
  [
    'delivery to an endpoint',
    () => `/webhooks/endpoints/${furnished.endpoint}/deliveries/${furnished.event}`,
  ],
  ['no such endpoint', () => '/webhooks/endpoints/01990000-0000-7000-8000-000000000001'],
  [
    'no such delivery to an endpoint',
    () => `/webhooks/endpoints/${furnished.endpoint}/deliveries/01990000-0000-7000-8000-000000000001`,
  ],
  ['API keys', () => '/api-keys'],
  ['requests', () => '/requests'],
  ['reconciliation', () => '/reconciliation'],
  ['users', () => '/users'],
  ['security', () => '/security'],
  ['settings', () => '/settings'],
  ['audit log', () => '/audit-log'],
  ['no such payment', () => '/payments/01990000-0000-7000-8000-000000000001'],
  ['no such page', () => '/nothing'],
] as const
const ofPartner = [
  ['overview', () => '/'],
  ['clients', () => '/tenants'],
  ['client', () => `/tenants/${demo.client.tenant_id}`],
  ['fees of a client', () => `/tenants/${demo.client.tenant_id}?tab=fees`],
  ['refunds', () => '/refunds'],
  ['reconciliation', () => '/reconciliation'],
  ['users', () => '/users'],
  ['security', () => '/security'],
  ['settings', () => '/settings'],
  ['audit log', () => '/audit-log'],
] as const
const ofOwner = [
  ['overview', () => '/'],
  ['tenants', () => '/tenants'],
  ['limits', () => '/limits'],
  ['tenant', () => `/tenants/${demo.client.tenant_id}`],
  ['provider accounts', () => '/provider-accounts'],
  ['provider health', () => '/provider-health'],
  ['callbacks', () => '/callbacks'],
  ['inbox', () => '/inbox'],
  ['inbox, refunds', () => '/inbox?tab=refunds'],
  ['refunds', () => '/refunds'],
  ['reconciliation', () => '/reconciliation'],
  ['totals of all books', () => '/reconciliation?tab=books'],
  ['users', () => '/users'],
  ['security', () => '/security'],
  ['settings', () => '/settings'],
  ['audit log', () => '/audit-log'],
] as const

/**
 * Returns the texts that the page cuts off, because the text is wider than its table cell or the table is wider than
 * its panel.
 */
const cutTexts = (page: Page): Promise<string[]> =>
  page
    .locator('tbody td, tbody td div, main section')
    .evaluateAll(all => all.filter(each => each.scrollWidth > each.clientWidth).map(each => each.textContent))

type Pages = readonly (readonly [name: string, path: () => string])[]

describe.each<['client' | 'partner' | 'owner', Pages]>([
  ['client', ofClient],
  ['partner', ofPartner],
  ['owner', ofOwner],
])('every dashboard page works for a user with the role %s', (role, pages) => {
  let dashboard: Dashboard
  beforeAll(async () => {
    dashboard = await logIn(demo[role], { colorScheme: 'light' })
    return () => dashboard.end()
  })

  test.each([...pages])(
    'the dashboard opens %s without errors or accessibility violations, in light and dark mode and on a phone',
    async (name, path) => {
      const { page, complaints } = dashboard
      complaints.length = 0
      await page.setViewportSize({ width: 1280, height: 860 })
      // Only the first page is loaded from its URL, because loading all scripts again takes too long. For every other
      // page, the test checks that its URL returns an HTML page, and then opens the page through the dashboard's
      // navigation.
      if (page.url() === 'about:blank') await dashboard.go(path())
      else {
        expect((await page.request.get(`${base}/dashboard${path()}`)).headers()['content-type']).toContain(
          'html',
        )
        await dashboard.follow(path())
      }
      for (const scheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme: scheme })
        await settled(dashboard)
        await picture(dashboard, `${role}, ${name}, ${scheme}`)
        expect(await barriers(page, scheme === 'light' ? 'all' : 'color'), scheme).toEqual([])
      }
      await page.setViewportSize({ width: 360, height: 780 })
      await settled(dashboard)
      await picture(dashboard, `${role}, ${name}, telephone`)
      expect(await overflow(page)).toBe(0)
      expect(await cutTexts(page)).toEqual([])
      expect(await barriers(page), 'telephone').toEqual([])
      await page.emulateMedia({ colorScheme: 'light' })
      // Chromium logs each 404 response to the console. Such a message is expected only on a page about something
      // nonexistent, for example a nonexistent payment.
      expect(complaints.filter(each => !/status of 404/.test(each) || !name.startsWith('no such'))).toEqual(
        [],
      )
    },
  )

  test('every dashboard page is reachable by keyboard from the navigation and shows its name in the window title', async () => {
    const { page } = dashboard
    await page.setViewportSize({ width: 1280, height: 860 })
    await dashboard.go('/')
    const links = page.getByRole('navigation').getByRole('link')
    const names = await links.allInnerTexts()
    expect(names.length).toBeGreaterThan(4)
    for (const [index, name] of names.entries()) {
      if (/Documentation/.test(name)) continue
      const link = links.nth(index)
      const path = await link.evaluate(element => (element as HTMLAnchorElement).pathname)
      await link.focus()
      await page.keyboard.press('Enter')
      await page.waitForURL(({ pathname }) => pathname === path)
      await routed(dashboard)
      const heading = await page.getByRole('heading', { level: 1 }).textContent()
      await expect.poll(() => page.title()).toBe(`${heading} · Gapura`)
    }
  })

  test('every dashboard page opens in Indonesian without accessibility violations, and fits a phone', async () => {
    const { page } = dashboard
    await page.setViewportSize({ width: 1280, height: 860 })
    await dashboard.go('/')
    await switchLanguage(page, 'Bahasa Indonesia')
    for (const [name, path] of pages) {
      await dashboard.follow(path())
      expect(await page.locator('html').getAttribute('lang'), name).toBe('id')
      expect(await barriers(page), name).toEqual([])
      await page.setViewportSize({ width: 360, height: 780 })
      await settled(dashboard)
      await picture(dashboard, `${role}, ${name}, Indonesian, telephone`)
      expect(await overflow(page), name).toBe(0)
      expect(await cutTexts(page), name).toEqual([])
      await page.setViewportSize({ width: 1280, height: 860 })
    }
    await dashboard.go('/')
    await switchLanguage(page, 'English')
  })
})

test.each([
  [
    'client',
    ['/tenants', `/tenants/${demo.client2.tenant_id}`, '/provider-accounts', '/callbacks', '/inbox'],
  ],
  ['partner', ['/payments', '/provider-accounts', '/provider-health', '/callbacks', '/inbox']],
  ['owner', ['/payments', '/payments/new', '/ledger', '/api-keys']],
] as const)(
  'a user with the role %s sees an error instead of the content of a page that is only for other roles',
  async (role, paths) => {
    const dashboard = await openDashboard(demo[role])
    const { page } = dashboard
    for (const path of paths) {
      await dashboard.go(path)
      await waitForHeading(page, 'Your role does not have access to this page')
      const main = page.getByRole('main')
      expect(await main.getByRole('table').count(), path).toBe(0)
      expect(await main.getByRole('button').count(), path).toBe(0)
      expect(await page.title()).toBe('Your role does not have access to this page · Gapura')
      expect(await barriers(page), path).toEqual([])
    }
    await page.getByRole('main').getByRole('link', { name: 'Go to overview' }).click()
    await waitForHeading(page, 'Overview')
  },
)

test("a table row's menu opens without accessibility violations, with the focus on its first action", async () => {
  const dashboard = await logIn(demo.owner)
  const { page } = dashboard
  await dashboard.go('/users')
  await page.getByRole('button', { name: `Actions for ${demo.owner.email}` }).click()
  const first = page.getByRole('menu').getByRole('menuitem').first()
  await expect.poll(() => first.evaluate(item => item === document.activeElement)).toBe(true)
  expect(await barriers(page)).toEqual([])
  await dashboard.end()
})
