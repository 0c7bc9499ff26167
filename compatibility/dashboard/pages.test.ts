// Opens every page of every role and checks its layout, accessibility and behaviour.

import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { merchantOf } from '../../packages/server/test/support/merchant.ts'
import { barriers, overflow, visit } from '../site/browser.ts'
import { type Dashboard, logIn, picture, settled } from './dashboard.ts'
import { type Furnished, furnish } from './furnished.ts'

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
  ['new payment', () => '/payments/new'],
  ['ledger', () => '/ledger'],
  ['webhooks', () => '/webhooks'],
  ['delivery', () => `/webhooks/${furnished.event}`],
  ['API keys', () => '/api-keys'],
  ['reconciliation', () => '/reconciliation'],
  ['users', () => '/users'],
  ['audit log', () => '/audit-log'],
  ['no such payment', () => '/payments/01990000-0000-7000-8000-000000000001'],
  ['no such page', () => '/nothing'],
] as const
const ofPartner = [
  ['overview', () => '/'],
  ['clients', () => '/tenants'],
  ['client', () => `/tenants/${demo.client.tenant_id}`],
  ['reconciliation', () => '/reconciliation'],
  ['users', () => '/users'],
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
  ['reconciliation', () => '/reconciliation'],
  ['users', () => '/users'],
  ['audit log', () => '/audit-log'],
] as const

type Pages = readonly (readonly [name: string, path: () => string])[]

describe.each<['client' | 'partner' | 'owner', Pages]>([
  ['client', ofClient],
  ['partner', ofPartner],
  ['owner', ofOwner],
])('the dashboard for a %s', (role, pages) => {
  let dashboard: Dashboard
  beforeAll(async () => {
    dashboard = await logIn(demo[role], { colorScheme: 'light' })
    return () => dashboard.end()
  })

  test.each([...pages])(
    'opens %s without errors or accessibility violations, in light and dark mode and on a phone',
    async (name, path) => {
      const { page, complaints } = dashboard
      complaints.length = 0
      await page.setViewportSize({ width: 1280, height: 860 })
      await dashboard.go(path())
      for (const scheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme: scheme })
        await settled(dashboard)
        await picture(dashboard, `${role}, ${name}, ${scheme}`)
        expect(await barriers(page, scheme === 'light' ? 'all' : 'colour'), scheme).toEqual([])
      }
      await page.setViewportSize({ width: 390, height: 844 })
      await settled(dashboard)
      await picture(dashboard, `${role}, ${name}, telephone`)
      expect(await overflow(page)).toBe(0)
      expect(await barriers(page), 'telephone').toEqual([])
      await page.emulateMedia({ colorScheme: 'light' })
      // Chromium logs a 404 response to the console, such as that of a payment that does not exist.
      expect(complaints.filter(each => !/status of 404/.test(each) || !name.startsWith('no such'))).toEqual(
        [],
      )
    },
  )

  test('makes every page reachable by keyboard from the navigation and shows its name in the window title', async () => {
    const { page } = dashboard
    await page.setViewportSize({ width: 1280, height: 860 })
    await dashboard.go('/')
    const links = page.getByRole('navigation').getByRole('link')
    const names = await links.allInnerTexts()
    expect(names.length).toBeGreaterThan(4)
    for (const [index, name] of names.entries()) {
      if (/Documentation/.test(name)) continue
      await links.nth(index).focus()
      await page.keyboard.press('Enter')
      await settled(dashboard)
      const heading = await page.getByRole('heading', { level: 1 }).textContent()
      await expect.poll(() => page.title()).toBe(`${heading} · Gapura`)
    }
  })

  test('opens every page in Indonesian, also for screen readers, without accessibility violations', async () => {
    const { page } = dashboard
    await page.setViewportSize({ width: 1280, height: 860 })
    await dashboard.go('/')
    await page.getByRole('button', { name: 'Bahasa Indonesia' }).click()
    for (const [name, path] of pages) {
      await dashboard.go(path())
      expect(await page.locator('html').getAttribute('lang'), name).toBe('id')
      expect(await barriers(page), name).toEqual([])
    }
    await dashboard.go('/')
    await page.getByRole('button', { name: 'English' }).click()
  })
})

test.each([
  [
    'client',
    ['/tenants', `/tenants/${demo.client2.tenant_id}`, '/provider-accounts', '/callbacks', '/inbox'],
  ],
  ['partner', ['/payments', '/provider-accounts', '/provider-health', '/callbacks', '/inbox']],
  ['owner', ['/payments', '/payments/new', '/ledger', '/api-keys']],
] as const)('a %s who opens a page of another role gets an error and no content', async (role, paths) => {
  const dashboard = await logIn(demo[role])
  const { page } = dashboard
  for (const path of paths) {
    await dashboard.go(path)
    await page
      .getByRole('heading', { level: 1, name: 'Your role does not have access to this page' })
      .waitFor()
    const main = page.getByRole('main')
    expect(await main.getByRole('table').count(), path).toBe(0)
    expect(await main.getByRole('button').count(), path).toBe(0)
    expect(await page.title()).toBe('Your role does not have access to this page · Gapura')
    expect(await barriers(page), path).toEqual([])
  }
  await page.getByRole('main').getByRole('link', { name: 'Go to overview' }).click()
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  await dashboard.end()
})

test('leaving a page with unsaved changes asks for confirmation, and choosing to stay keeps the changes', async () => {
  const dashboard = await logIn(demo.owner)
  const { page } = dashboard
  await dashboard.go(`/tenants/${demo.client.tenant_id}?tab=routing`)
  await page.getByRole('button', { name: 'Add rule' }).click()
  for (const elsewhere of [
    page.getByRole('tab', { name: 'Provider accounts' }),
    page.getByRole('link', { name: 'Callbacks' }),
  ]) {
    await elsewhere.click()
    const asked = page.getByRole('dialog', { name: 'Leave without saving?' })
    await asked.getByRole('button', { name: 'Back' }).click()
    await asked.waitFor({ state: 'hidden' })
    expect(new URL(page.url()).search).toBe('?tab=routing')
    expect(await page.getByRole('group', { name: 'Rule 1' }).count()).toBe(1)
  }
  await page.getByRole('link', { name: 'Callbacks' }).click()
  await page.getByRole('button', { name: 'Leave' }).click()
  await page.waitForURL('**/dashboard/callbacks')
  await dashboard.end()
})

test('a challenged payment is neither accepted nor rejected until the user chooses one of the two', async () => {
  const dashboard = await logIn(demo.owner)
  const { page } = dashboard
  await dashboard.go('/inbox?tab=challenged')
  await page.getByRole('row').nth(1).getByRole('button').click()
  const drawer = page.getByRole('dialog', { name: 'Challenged payment' })
  const decide = drawer.getByRole('button', { name: 'Decide' })
  await decide.waitFor()
  expect(await decide.isDisabled()).toBe(true)
  await drawer.getByRole('radio', { name: 'Accept' }).check()
  expect(await drawer.getByRole('button', { name: /^Accept Rp/ }).isEnabled()).toBe(true)
  await dashboard.end()
})

test('another client’s payment is shown as not found', async () => {
  const dashboard = await logIn(demo.client2)
  await dashboard.go(`/payments/${furnished.paid.id}`)
  await dashboard.page.getByRole('heading', { name: 'Payment not found' }).waitFor()
  expect(await dashboard.page.getByText('Rp').count()).toBe(0)
  await dashboard.end()
})

test('an anonymous user is asked to log in, and returns to the requested page', async () => {
  const dashboard = await logIn(demo.client)
  const { page } = dashboard
  await page.context().clearCookies()
  await page.goto(`${demo.base_url}/dashboard/payments?status=paid`)
  await page.waitForURL('**/dashboard/login?*')
  expect(await barriers(page)).toEqual([])
  await picture(dashboard, 'log-in')
  await page.getByRole('textbox', { name: 'Email' }).fill(demo.client.email)
  await page.locator('input[type=password]').fill('wrong')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').getByText('E-mail address or password is wrong').waitFor()
  await page.locator('input[type=password]').fill(demo.client.password)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/dashboard/payments?status=paid')
  await dashboard.end()
})

test.each([
  ['en', 'Too many failed log-ins; try again in 15 minutes'],
  ['id', 'Terlalu banyak percobaan masuk yang gagal; coba lagi dalam 15 menit'],
])('a login that must wait says how long to wait: %s', async (locale, said) => {
  const { page, end } = await visit('/dashboard/login', { locale })
  const message = 'rate limited: too many failed log-ins; try again in 15 minutes'
  const fault = { fault: 'login_delayed', params: { seconds: 900 } }
  const data = { code: 'TOO_MANY_REQUESTS', errorCode: 'RATE_LIMITED', httpStatus: 429, ...fault }
  const error = { message, code: -32029, data }
  await page.route('**/trpc/session.open', route => route.fulfill({ status: 429, json: { error } }))
  await page.locator('input[type=email]').fill(demo.client.email)
  await page.locator('input[type=password]').fill('wrong')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').getByText(said).waitFor()
  await end()
})

test('a link cannot redirect to another site after the login', async () => {
  const dashboard = await logIn(demo.client)
  const { page } = dashboard
  for (const next of ['//example.com/', 'https://example.com/', '/\\example.com']) {
    await page.context().clearCookies()
    await page.goto(`${demo.base_url}/dashboard/login?next=${encodeURIComponent(next)}`)
    await page.getByRole('textbox', { name: 'Email' }).fill(demo.client.email)
    await page.locator('input[type=password]').fill(demo.client.password)
    await page.keyboard.press('Enter')
    await page.waitForURL(url => !url.pathname.endsWith('/login'))
    expect(new URL(page.url()).origin).toBe(demo.base_url)
  }
  await dashboard.end()
})

test('no script on a page can read the session, and no part of the session is stored in the browser', async () => {
  const dashboard = await logIn(demo.client)
  const { page } = dashboard
  expect(await page.evaluate(() => document.cookie)).toBe('')
  const stored = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))
  expect(stored).not.toMatch(/eyJ|gp_/)
  const [cookie] = await page.context().cookies()
  expect(cookie).toMatchObject({ name: 'gapura_session', httpOnly: true, sameSite: 'Strict' })
  await dashboard.end()
})

test('a logout ends the session: in this window, after going back, and with the previous cookie', async () => {
  const dashboard = await logIn(demo.client)
  const { page } = dashboard
  const cookies = await page.context().cookies()
  await page.getByRole('button', { name: 'Log out' }).click()
  await page.waitForURL('**/dashboard/login')
  await page.goBack()
  await page.waitForURL('**/dashboard/login*')
  await page.context().addCookies(cookies)
  await page.goto(`${demo.base_url}/dashboard/payments`)
  await page.waitForURL('**/dashboard/login*')
  await dashboard.end()
})

test('a logout in one window logs out all windows of this browser, and each says that the session has ended', async () => {
  const dashboard = await logIn(demo.client)
  const { page } = dashboard
  await dashboard.go('/payments?status=paid')
  const beside = await page.context().newPage()
  await beside.goto(`${demo.base_url}/dashboard/`)
  await beside.getByRole('button', { name: 'Log out' }).click()
  await page.getByRole('status').filter({ hasText: 'Your session has ended' }).waitFor()
  expect(await page.getByText('Rp').count()).toBe(0)
  await picture(dashboard, 'log-in, session ended')
  expect(await barriers(page)).toEqual([])
  await page.getByRole('textbox', { name: 'Email' }).fill(demo.client.email)
  await page.locator('input[type=password]').fill(demo.client.password)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/dashboard/payments?status=paid')
  await dashboard.end()
})

test('a window switches to another user as soon as that user logs in in another window', async () => {
  const dashboard = await logIn(demo.client)
  const { page } = dashboard
  await dashboard.go('/webhooks')
  const beside = await page.context().newPage()
  await page.context().clearCookies()
  await beside.goto(`${demo.base_url}/dashboard/login`)
  await beside.getByRole('textbox', { name: 'Email' }).fill(demo.client2.email)
  await beside.locator('input[type=password]').fill(demo.client2.password)
  await beside.keyboard.press('Enter')
  await page.getByText(demo.client2.email).waitFor()
  expect(await page.getByText(demo.client.email, { exact: true }).count()).toBe(0)
  await dashboard.end()
})

test('a window that missed another user’s login shows that user’s account instead of continuing as the first user', async () => {
  const dashboard = await logIn(demo.client)
  const { page } = dashboard
  await page.clock.install()
  await dashboard.go('/webhooks')
  const other = await logIn(demo.client2)
  await page.context().addCookies(await other.page.context().cookies())
  // The clock moves forward until the access token of the first window has expired.
  await page.clock.fastForward('20:00')
  await page.getByRole('navigation').getByRole('link', { name: 'API keys' }).click()
  await page.getByText(demo.client2.email).waitFor()
  expect(await page.getByText(demo.client.email, { exact: true }).count()).toBe(0)
  await dashboard.end()
  await other.end()
})

test('the form shows the reason of a payment that its provider rejected, and the error at each invalid field', async () => {
  const dashboard = await logIn(demo.client)
  const { page } = dashboard
  const choose = async (label: RegExp, option: string) => {
    await page.getByRole('combobox', { name: label }).click()
    await page.getByRole('option', { name: option }).click()
  }
  await dashboard.go('/payments/new')
  await choose(/Method/, 'E-wallet')
  await choose(/^E-wallet/, 'OVO')
  await page.getByRole('button', { name: 'Create test payment' }).click()
  await page.getByText('Midtrans needs the payer’s mobile number for OVO').waitFor()
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
  await page.getByRole('button', { name: 'Create test payment' }).click()
  const refusal = page.getByRole('alert').filter({ hasText: 'Midtrans refused it: Transaction is rejected' })
  await refusal.waitFor()
  expect(await barriers(page)).toEqual([])
  await picture(dashboard, 'new payment, refused')
  await page.unroute('**/trpc/payments.create')
  await choose(/Method/, 'QRIS')
  await page.getByRole('button', { name: 'Create test payment' }).click()
  await page.getByText('Test payment created').waitFor()
  expect(await refusal.count()).toBe(0)
  await dashboard.end()
})

test('a filter value in the address that does not exist is ignored', async () => {
  const dashboard = await logIn(demo.client)
  const { page, complaints } = dashboard
  await dashboard.go('/payments?status=nonsense&from=rubbish')
  await page.getByRole('row').nth(1).waitFor()
  expect(complaints).toEqual([])
  await dashboard.end()
})

test('the search field keeps the focus while typing, and a focused row keeps it while the list changes', async () => {
  const dashboard = await logIn(demo.client)
  const { page } = dashboard
  await dashboard.go('/payments')
  await page.getByRole('searchbox').click()
  // The delay is long enough that the list is requested between the keystrokes.
  await page.keyboard.type('Budi', { delay: 450 })
  await page.waitForURL(/q=Budi$/)
  expect(await page.getByRole('searchbox').inputValue()).toBe('Budi')
  await settled(dashboard)
  const link = page.getByRole('row').nth(1).getByRole('link').first()
  await link.focus()
  const { data: payment } = await merchantOf(demo).create({ customer_name: 'Budi Santoso' })
  await page.getByRole('row').filter({ hasText: payment.payment_code }).waitFor()
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('A')
  await dashboard.end()
})

test('the payment export contains all payments that match the filter, as a file that a spreadsheet opens', async () => {
  const dashboard = await logIn(demo.client)
  const { page } = dashboard
  await dashboard.go('/payments?status=paid')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export CSV' }).click(),
  ])
  expect(download.suggestedFilename()).toMatch(/^gapura-payments-test-\d{4}-\d{2}-\d{2}\.csv$/)
  const [head = '', ...lines] = (await readFile(await download.path(), 'utf8')).trim().split('\r\n')
  expect(head).toMatch(/^id,payment_code,/)
  expect(lines.length).toBeGreaterThan(10)
  expect(lines.filter(line => !line.includes(',paid,'))).toEqual([])
  expect(lines.some(line => line.startsWith(furnished.paid.id))).toBe(true)
  await dashboard.end()
})
