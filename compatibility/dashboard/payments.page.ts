// Functions for browser tests that use the payment list.

import { readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'

export const paymentRow = (page: Page, code: string): Locator =>
  page.getByRole('row').filter({ hasText: code })

/**
 * Waits until the payment's row shows the status. Ignores a hidden element in the row that shows the same status in
 * the phone layout.
 */
export const waitForStatus = (page: Page, code: string, status: string): Promise<void> =>
  paymentRow(page, code).getByText(status).filter({ visible: true }).waitFor()

/** Exports the payments that match the filter. Returns the exported file's name, header and lines. */
export async function exportPayments(page: Page): Promise<{ name: string; head: string; lines: string[] }> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'CSV', exact: true }).click(),
  ])
  const text = await readFile(await download.path(), 'utf8')
  // The exported file begins with a byte order mark, which is not part of the header line.
  const [head = '', ...lines] = text
    .replace(/^\ufeff/, '')
    .trim()
    .split('\r\n')
  return { name: download.suggestedFilename(), head, lines }
}
