// Fills in and submits the fee forms of the dashboard in browser tests.

import type { Page } from 'playwright-core'

/**
 * Sets the form's only fee rule to a percentage plus an amount in rupiah, and saves it as a new version of the fee
 * schedule.
 */
export async function setFee(
  page: Page,
  { percent, fixed }: { percent: string; fixed: string },
): Promise<void> {
  const fee = page.getByRole('group', { name: 'Fee 1' })
  await fee.getByRole('textbox', { name: 'Percentage' }).fill(percent)
  await fee.getByRole('textbox', { name: 'Fixed part' }).fill(fixed)
  await page.getByRole('button', { name: 'Save new version' }).click()
  await page.getByRole('heading', { name: 'Fees in force' }).waitFor()
}
