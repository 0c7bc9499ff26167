// Functions for browser tests that use the refund forms.

import type { Locator, Page } from 'playwright-core'

/** Opens the form that refunds the payment on the current page. Returns the form's dialog. */
export async function openRefundForm(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Refund…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Refund this payment' })
  await dialog.getByRole('textbox', { name: 'Amount to refund' }).waitFor()
  return dialog
}

export async function fillBankAccount(dialog: Locator): Promise<void> {
  await dialog.getByRole('textbox', { name: 'Bank' }).fill('BCA')
  await dialog.getByRole('textbox', { name: 'Account number' }).fill('1234567890')
  await dialog.getByRole('textbox', { name: 'Account holder' }).fill('Budi Santoso')
}

/** Opens the refund with the given reference from a list of refunds. Returns the drawer that shows the refund. */
export async function openRefund(page: Page, reference: string): Promise<Locator> {
  await page.getByRole('button', { name: reference }).click()
  return page.getByRole('dialog', { name: 'Refund' })
}
