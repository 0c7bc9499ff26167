// Functions with which browser tests use the Owner's Inbox.

import type { Locator, Page } from 'playwright-core'

/** Opens the Inbox item for the payment in the current tab. Returns the drawer that shows the item. */
export async function openItem(page: Page, paymentCode: string): Promise<Locator> {
  await page.getByRole('button', { name: paymentCode }).click()
  return page.getByRole('dialog')
}
