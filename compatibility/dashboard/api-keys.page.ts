// Functions for browser tests that use a tenant's API keys page.

import type { Locator, Page } from 'playwright-core'

export const newKeyButton = (page: Page): Locator => page.getByRole('button', { name: 'New key' })

/**
 * Creates an API key and returns it. The key is limited to `scopes` and `allowedIp`, if these are given. The dialog that
 * shows the key stays open.
 */
export async function createKey(
  page: Page,
  name: string,
  { scopes = [], allowedIp }: { scopes?: readonly string[]; allowedIp?: string } = {},
): Promise<string> {
  await newKeyButton(page).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Name' }).fill(name)
  if (scopes.length > 0 || allowedIp !== undefined)
    await dialog.getByRole('button', { name: 'Limit scopes and addresses' }).click()
  for (const scope of scopes) await dialog.getByRole('checkbox', { name: scope }).check()
  if (allowedIp !== undefined) await dialog.getByPlaceholder('Type an address').fill(allowedIp)
  await dialog.getByRole('button', { name: 'Create key' }).click()
  const key = await dialog.getByText(/^gp_test_\w+$/).textContent()
  return key as string
}

/** Closes the dialog that shows a new API key, and waits until the key appears in the list. */
export async function confirmStored(page: Page, name: string): Promise<void> {
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /stored/ })
    .click()
  await page.getByRole('row').filter({ hasText: name }).waitFor()
}
