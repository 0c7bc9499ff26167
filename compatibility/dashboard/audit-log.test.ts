// Tests the dashboard's audit log in a real browser.

import { expect, inject, test } from 'vitest'
import { openDashboard, settled } from './dashboard.ts'

const demo = inject('demo')

test.each(['client', 'owner'] as const)(
  'a click on the time header of the audit log of the %s reverses the order of the entries and adds the order to the URL',
  async role => {
    const dashboard = await openDashboard(demo[role])
    const { page } = dashboard
    await dashboard.go('/audit-log')
    await page
      .getByRole('status')
      .filter({ hasText: /^\d+ entries$/ })
      .waitFor()
    const header = page.getByRole('columnheader', { name: 'Time' })
    const first = page.locator('tbody tr').first()
    const newest = await first.textContent()
    expect(await header.getAttribute('aria-sort')).toBe('descending')
    await header.getByRole('button').click()
    await page.waitForURL(/[?&]order=oldest(&|$)/)
    await settled(dashboard)
    await expect.poll(() => first.textContent()).not.toBe(newest)
    expect(await header.getAttribute('aria-sort')).toBe('ascending')
  },
)
