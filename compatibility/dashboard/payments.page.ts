// The list of payments.

import { readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'

export const paymentRow = (page: Page, code: string): Locator =>
  page.getByRole('row').filter({ hasText: code })

/**
 * Waits until the payment's row shows the status. The layout for phones has the same value in a second, hidden element.
 */
export const waitForStatus = (page: Page, code: string, status: string): Promise<void> =>
  paymentRow(page, code).getByText(status).filter({ visible: true }).waitFor()

/** Exports the payments that match the filter. Returns the file's name, its head and its lines. */
export async function exportPayments(page: Page): Promise<{ name: string; head: string; lines: string[] }> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export CSV' }).click(),
  ])
  const text = await readFile(await download.path(), 'utf8')
  const [head = '', ...lines] = text.trim().split('\r\n')
  return { name: download.suggestedFilename(), head, lines }
}
