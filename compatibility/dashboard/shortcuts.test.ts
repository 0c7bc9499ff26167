// Tests the dashboard's keyboard shortcuts in a real browser.

import type { Page } from 'playwright-core'
import { expect, inject, test } from 'vitest'
import { barriers, overflow } from '../site/browser.ts'
import { openDashboard, picture, settled } from './dashboard.ts'
import { waitForHeading } from './shell.page.ts'

const demo = inject('demo')

/**
 * Presses the keys repeatedly until they have an effect. The first attempts may have no effect, because the
 * shortcuts' code is loaded after the page.
 */
async function pressUntil(page: Page, keys: string[], effect: () => Promise<boolean>): Promise<void> {
  await expect
    .poll(async () => {
      for (const key of keys) await page.keyboard.press(key)
      return effect()
    })
    .toBe(true)
}

const list = (page: Page) => page.getByRole('dialog', { name: 'Keyboard shortcuts' })

test('G and a letter open a page, N opens the test payment form, and / moves the focus to the search field', async () => {
  const dashboard = await openDashboard(demo.client)
  await dashboard.go('/')
  const { page } = dashboard
  const isAt = (path: string) => async () => new URL(page.url()).pathname === `/dashboard${path}`
  await pressUntil(page, ['g', 'p'], isAt('/payments'))
  await waitForHeading(page, 'Payments')
  await settled(dashboard)
  await page.keyboard.press('/')
  const search = page.getByRole('main').getByRole('searchbox')
  expect(await search.evaluate(input => input === document.activeElement)).toBe(true)
  // While an input has the focus, the shortcut keys only type text.
  await page.keyboard.type('gon?')
  expect(await search.inputValue()).toBe('gon?')
  expect(await list(page).count()).toBe(0)
  await search.blur()
  await page.keyboard.press('n')
  await waitForHeading(page, 'Test payment')
})

test("a switch in the shortcut list turns off the shortcut ?, but not the command bar's shortcut", async () => {
  const dashboard = await openDashboard(demo.owner)
  await dashboard.go('/')
  const { page } = dashboard
  await pressUntil(page, ['?'], async () => (await list(page).count()) > 0)
  const rows = list(page).getByRole('row')
  expect(await rows.filter({ hasText: 'Open Inbox' }).textContent()).toContain('G then I')
  expect(await rows.filter({ hasText: 'New test payment' }).count()).toBe(0)
  await settled(dashboard)
  await picture(dashboard, 'owner, keyboard shortcuts')
  expect(await barriers(page)).toEqual([])
  await page.setViewportSize({ width: 360, height: 780 })
  await settled(dashboard)
  expect(await overflow(page)).toBe(0)
  expect(await barriers(page)).toEqual([])
  await page.setViewportSize({ width: 1280, height: 860 })

  await list(page)
    .getByRole('switch', { name: /single-key/ })
    .click()
  await page.keyboard.press('Escape')
  await list(page).waitFor({ state: 'detached' })
  await page.keyboard.press('?')
  await page.keyboard.press('Control+k')
  const command = page.getByRole('combobox', { name: 'Search and commands' })
  await command.waitFor()
  await page.getByRole('dialog', { name: 'Search and commands' }).waitFor()
  expect(await barriers(page)).toEqual([])
  expect(await list(page).count()).toBe(0)
  // While the single-key shortcuts are off, the command bar still opens the shortcut list, where the user can
  // turn the shortcuts back on.
  await command.fill('shortcuts')
  await page.keyboard.press('Enter')
  await list(page)
    .getByRole('switch', { name: /single-key/, checked: false })
    .waitFor()
})
