// Functions for browser tests that use the pages with settings and payment methods.

import type { Locator, Page } from 'playwright-core'

export const notificationSwitch = (page: Page, name: string): Locator =>
  page.getByRole('main').getByRole('switch', { name })

/** Turns a kind of email about problems on or off, and waits until the service has stored the choice. */
export async function switchNotification(page: Page, name: string): Promise<void> {
  await notificationSwitch(page, name).click()
  await page
    .getByText(/^(Saved|Tersimpan)$/)
    .first()
    .waitFor()
}

/** Returns the row of a channel in the table of a payment method. */
export const channelRow = (page: Page, method: string, channel: string): Locator =>
  page.getByRole('table', { name: method }).getByRole('row').filter({ hasText: channel })

/** Returns the section of the page that has this heading. */
export const sectionNamed = (page: Page, heading: string): Locator =>
  page.locator('section').filter({ has: page.getByRole('heading', { name: heading }) })

/** Chooses a file as the logo, as a user does in the file dialog of the browser. */
export async function chooseLogo(
  page: Page,
  file: { name: string; mimeType: string; buffer: Buffer },
): Promise<void> {
  await page.locator('input[type=file]').setInputFiles(file)
}
