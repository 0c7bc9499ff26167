// Tests dashboard sessions: login, logout, and several windows and users in one browser.

import { expect, inject, onTestFinished, test } from 'vitest'
import { barriers, visit } from '../site/browser.ts'
import { openDashboard, picture, settled } from './dashboard.ts'
import { submitLogin } from './login.page.ts'
import { logOut, openArea, waitForHeading } from './shell.page.ts'

const demo = inject('demo')

test('a user who opens a page without being logged in sees that page after logging in', async () => {
  const dashboard = await openDashboard(demo.client)
  const { page } = dashboard
  await page.context().clearCookies()
  await page.goto(`${demo.base_url}/dashboard/payments?status=paid`)
  await page.waitForURL('**/dashboard/login?*')
  expect(await barriers(page)).toEqual([])
  await picture(dashboard, 'login')
  await submitLogin(page, { ...demo.client, password: 'wrong' })
  await page.getByRole('alert').getByText('The email address or the password is wrong').waitFor()
  await page.locator('input[type=password]').fill(demo.client.password)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/dashboard/payments?status=paid&mode=test')
})

test.each([
  ['en', 'Too many failed login attempts. Try again in 15 minutes'],
  ['id', 'Terlalu banyak percobaan masuk yang gagal. Coba lagi dalam 15 menit'],
])(
  'after too many failed logins, the login page shows in the language of the user (%s) when the next attempt is possible',
  async (locale, said) => {
    const { page, end } = await visit('/dashboard/login', { locale })
    const message = 'rate limited: too many failed logins; try again in 15 minutes'
    const fault = { fault: 'login_delayed', params: { seconds: 900 } }
    const data = { code: 'TOO_MANY_REQUESTS', errorCode: 'RATE_LIMITED', httpStatus: 429, ...fault }
    const error = { message, code: -32029, data }
    await page.route('**/trpc/session.open', route => route.fulfill({ status: 429, json: { error } }))
    await submitLogin(page, { ...demo.client, password: 'wrong' })
    await page.getByRole('alert').getByText(said).waitFor()
    await end()
  },
)

test('a link to the login page cannot redirect the user to another site after login', async () => {
  const dashboard = await openDashboard(demo.client)
  const { page } = dashboard
  for (const next of ['//example.com/', 'https://example.com/', '/\\example.com']) {
    await page.context().clearCookies()
    await page.goto(`${demo.base_url}/dashboard/login?next=${encodeURIComponent(next)}`)
    await submitLogin(page, demo.client)
    await page.waitForURL(url => !url.pathname.endsWith('/login'))
    expect(new URL(page.url()).origin).toBe(demo.base_url)
  }
})

test('scripts can read the session neither from cookies nor from web storage', async () => {
  const visited = await visit('/dashboard/login')
  onTestFinished(() => visited.end())
  const { page } = visited
  await submitLogin(page, demo.client)
  await waitForHeading(page, 'Overview')
  await settled(visited)
  expect(await page.evaluate(() => document.cookie)).toBe('')
  const stored = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))
  expect(stored).not.toMatch(/eyJ|gp_/)
  const [cookie] = await page.context().cookies()
  expect(cookie).toMatchObject({ name: 'gapura_session', httpOnly: true, sameSite: 'Strict' })
})

test('after a logout, neither the back button nor the previous cookie restores the session', async () => {
  const dashboard = await openDashboard(demo.client)
  await dashboard.go('/')
  const { page } = dashboard
  const cookies = await page.context().cookies()
  await logOut(page)
  await page.waitForURL('**/dashboard/login')
  await page.goBack()
  await page.waitForURL('**/dashboard/login*')
  await page.context().addCookies(cookies)
  await page.goto(`${demo.base_url}/dashboard/payments`)
  await page.waitForURL('**/dashboard/login*')
})

test('a refetch during a logout does not make the login page report an ended session', async () => {
  const dashboard = await openDashboard(demo.client)
  const { page } = dashboard
  await page.clock.install()
  await dashboard.go('/')
  const closing = Promise.withResolvers<void>()
  const mayRespond = Promise.withResolvers<void>()
  await page.route('**/trpc/session.close*', async route => {
    const response = await route.fetch()
    closing.resolve()
    await mayRespond.promise
    await route.fulfill({ response })
  })
  const searches: string[] = []
  page.on('framenavigated', frame => searches.push(new URL(frame.url()).search))
  await logOut(page)
  await closing.promise
  // When a window becomes visible, the page fetches its stale data again. The ten requests below only give the page
  // time to start this fetch.
  await page.clock.fastForward(60_000)
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
  await page.evaluate(async () => {
    for (let n = 0; n < 10; n += 1) await fetch('/dashboard/login').then(response => response.text())
  })
  mayRespond.resolve()
  await page.waitForURL('**/dashboard/login')
  expect(searches.filter(search => search.includes('why='))).toEqual([])
})

test('if the service cannot be reached during a logout, the page says that the user is still logged in', async () => {
  const dashboard = await openDashboard(demo.client)
  await dashboard.go('/')
  const { page } = dashboard
  await page.route('**/trpc/session.close*', route => route.abort())
  await logOut(page)
  await page.getByRole('alert').filter({ hasText: 'You are still logged in' }).waitFor()
  expect(await barriers(page)).toEqual([])
  await picture(dashboard, 'logout failed')
  await page.unroute('**/trpc/session.close*')
  await openArea(page, 'Payments')
  await waitForHeading(page, 'Payments')
  await logOut(page)
  await page.waitForURL('**/dashboard/login')
})

test("a logout in one window also ends the session in the browser's other windows", async () => {
  const dashboard = await openDashboard(demo.client)
  const { page } = dashboard
  await dashboard.go('/payments?status=paid')
  const beside = await page.context().newPage()
  await beside.goto(`${demo.base_url}/dashboard/`)
  await logOut(beside)
  await page.getByRole('status').filter({ hasText: 'Your session has ended' }).waitFor()
  expect(await page.getByText('Rp').count()).toBe(0)
  await picture(dashboard, 'login, session ended')
  expect(await barriers(page)).toEqual([])
  await submitLogin(page, demo.client)
  await page.waitForURL('**/dashboard/payments?status=paid&mode=test')
})

test('after another user’s login in one browser window, the other window immediately shows that user’s account', async () => {
  const dashboard = await openDashboard(demo.client)
  const { page } = dashboard
  await dashboard.go('/webhooks')
  const beside = await page.context().newPage()
  await page.context().clearCookies()
  await beside.goto(`${demo.base_url}/dashboard/login`)
  await submitLogin(beside, demo.client2)
  await page.getByText(demo.client2.email).waitFor()
  expect(await page.getByText(demo.client.email, { exact: true }).count()).toBe(0)
})

test('a window that missed another user’s login shows that user once it renews its access token', async () => {
  const dashboard = await openDashboard(demo.client)
  const { page } = dashboard
  await page.clock.install()
  await dashboard.go('/webhooks')
  const other = await openDashboard(demo.client2)
  await page.context().addCookies(await other.page.context().cookies())
  // The test moves the clock forward until the first window's access token has expired, so that the window
  // must renew it.
  await page.clock.fastForward('20:00')
  await openArea(page, 'API keys')
  await page.getByText(demo.client2.email).waitFor()
  expect(await page.getByText(demo.client.email, { exact: true }).count()).toBe(0)
})
