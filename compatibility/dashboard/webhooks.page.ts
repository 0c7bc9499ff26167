// Functions for browser tests that use a tenant's webhook settings and the page that shows a single webhook
// delivery.

import type { Locator, Page } from 'playwright-core'

export const callbackUrlField = (page: Page): Locator =>
  page.getByRole('textbox', { name: /Where webhooks are sent/ })

export async function setCallbackUrl(page: Page, url: string): Promise<void> {
  await callbackUrlField(page).fill(url)
  await page.getByRole('button', { name: 'Save' }).click()
}

export async function revealSecret(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Reveal' }).click()
  const secret = await page.getByText(/^whsec_[\w+/=]{20,}$/).textContent()
  return secret as string
}

/** Sends a test webhook event, and waits until the page shows it as delivered. */
export async function sendTestEvent(page: Page): Promise<void> {
  await page.getByRole('button', { name: /test event/i }).click()
  await page.getByRole('row').filter({ hasText: 'webhook.test' }).getByText('Delivered').waitFor()
}

export const redeliver = (page: Page): Promise<void> =>
  page.getByRole('button', { name: 'Redeliver' }).click()
