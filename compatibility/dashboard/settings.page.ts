// Functions for browser tests that use the settings and payment methods pages.

import type { Locator, Page } from 'playwright-core'

export const notificationSwitch = (page: Page, name: string): Locator =>
  page.getByRole('main').getByRole('switch', { name })

/** Turns a type of problem email on or off, and waits until the service has stored the choice. */
export async function switchNotification(page: Page, name: string): Promise<void> {
  await notificationSwitch(page, name).click()
  await page
    .getByText(/^(Saved|Tersimpan)$/)
    .first()
    .waitFor()
}

/** Returns a channel's row in a payment method's table. */
export const channelRow = (page: Page, method: string, channel: string): Locator =>
  page.getByRole('table', { name: method }).getByRole('row').filter({ hasText: channel })

/** Returns the section of the page with this heading. */
export const sectionNamed = (page: Page, heading: string): Locator =>
  page.locator('section').filter({ has: page.getByRole('heading', { name: heading }) })

/** Chooses a logo file, as a user does in the browser's file dialog. */
export async function chooseLogo(
  page: Page,
  file: { name: string; mimeType: string; buffer: Buffer },
): Promise<void> {
  await page.locator('input[type=file]').setInputFiles(file)
}
