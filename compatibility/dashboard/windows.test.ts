// Tests in a real browser that many windows share one stream of updates.

import type { Page, Request } from 'playwright-core'
import { expect, inject, test } from 'vitest'
import { merchantOf, simulate } from '../../packages/server/test/support/merchant.ts'
import { PATIENCE_MS } from '../site/browser.ts'
import { newKeyButton } from './api-keys.page.ts'
import { type Dashboard, logIn, openDashboard } from './dashboard.ts'
import { waitForStatus } from './payments.page.ts'
import { openArea, waitForLiveUpdates } from './shell.page.ts'

const demo = inject('demo')
const shop = merchantOf(demo)

/** Returns a function that lists the browser windows with an open stream of live updates. */
function openStreams({ page }: Dashboard): () => Page[] {
  const open = new Map<Request, Page>()
  const context = page.context()
  context.on('request', request => {
    if (!request.url().includes('live.changes')) return
    const asking = request.frame().page()
    open.set(request, asking)
    asking.once('close', () => open.delete(request))
  })
  context.on('requestfinished', request => open.delete(request))
  context.on('requestfailed', request => open.delete(request))
  return () => [...open.values()]
}

async function openWindow(dashboard: Dashboard): Promise<Page> {
  const page = await dashboard.page.context().newPage()
  page.setDefaultTimeout(PATIENCE_MS)
  await page.goto(`${demo.base_url}/dashboard/payments`)
  await waitForLiveUpdates(page)
  return page
}

/**
 * Makes the page behave as if its window were hidden. This is necessary because a headless browser treats every
 * window as visible.
 */
const hide = (page: Page, isHidden: boolean) =>
  page.evaluate(hidden => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden })
    document.dispatchEvent(new Event('visibilitychange'))
  }, isHidden)

test('ten dashboard windows share one live stream and all show a payment as paid', async () => {
  const dashboard = await openDashboard(demo.client)
  const streams = openStreams(dashboard)
  await dashboard.go('/payments')
  await waitForLiveUpdates(dashboard.page)
  const windows = [dashboard.page]
  while (windows.length < 10) windows.push(await openWindow(dashboard))
  expect(streams()).toEqual([dashboard.page])
  const { data: payment } = await shop.create()
  await Promise.all(windows.map(page => waitForStatus(page, payment.payment_code, 'Pending')))
  await simulate(demo, payment, 'paid')
  await Promise.all(windows.map(page => waitForStatus(page, payment.payment_code, 'Paid')))
  for (const page of windows) {
    await openArea(page, 'API keys')
    await newKeyButton(page).waitFor()
  }
  expect(streams()).toEqual([dashboard.page])
})

test('when the window with the live stream closes, another window opens a stream and shows the missed changes', async () => {
  const dashboard = await logIn(demo.client)
  const streams = openStreams(dashboard)
  await dashboard.go('/payments')
  await waitForLiveUpdates(dashboard.page)
  const heir = await openWindow(dashboard)
  const { data: payment } = await shop.create()
  await waitForStatus(heir, payment.payment_code, 'Pending')
  await dashboard.page.close()
  await simulate(demo, payment, 'paid')
  await waitForStatus(heir, payment.payment_code, 'Paid')
  await expect.poll(streams).toEqual([heir])
  await heir.context().close()
})

test('a hidden dashboard window has no live stream, but shows the missed changes once it becomes visible', async () => {
  const dashboard = await openDashboard(demo.client)
  const streams = openStreams(dashboard)
  const { page } = dashboard
  await dashboard.go('/payments')
  await waitForLiveUpdates(page)
  const other = await openWindow(dashboard)
  await hide(page, true)
  await expect.poll(streams).toEqual([other])
  await waitForLiveUpdates(other)
  await hide(other, true)
  await expect.poll(streams).toEqual([])
  const { data: payment } = await shop.create()
  await simulate(demo, payment, 'paid')
  await hide(page, false)
  await waitForStatus(page, payment.payment_code, 'Paid')
  await waitForLiveUpdates(page)
  expect(streams()).toEqual([page])
})
