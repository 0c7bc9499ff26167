// The Owner's Inbox.

import type { Locator, Page } from 'playwright-core'

/** Opens the item of this payment in the current tab. Returns the item's drawer. */
export async function openItem(page: Page, paymentCode: string): Promise<Locator> {
  await page.getByRole('button', { name: paymentCode }).click()
  return page.getByRole('dialog')
}
