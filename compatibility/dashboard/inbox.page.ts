// Functions with which browser tests use the Owner's Inbox.

import type { Locator, Page } from 'playwright-core'
import { paymentRow } from './payments.page.ts'

/** Opens the Inbox item for the payment in the current tab. Returns the drawer that shows the item. */
export async function openItem(page: Page, paymentCode: string): Promise<Locator> {
  await page.getByRole('button', { name: paymentCode }).click()
  return page.getByRole('dialog')
}

/** Opens the payment's record of unexpected money. Returns the drawer that shows the record. */
export async function openMoney(page: Page, paymentCode: string): Promise<Locator> {
  await paymentRow(page, paymentCode).getByRole('button').first().click()
  return page.getByRole('dialog')
}
