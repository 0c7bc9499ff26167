// Functions for browser tests that use the new test payment form.

import type { Page } from 'playwright-core'

async function choose(page: Page, label: RegExp, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label }).click()
  await page.getByRole('option', { name: option }).click()
}

export const chooseMethod = (page: Page, method: string): Promise<void> => choose(page, /Method/, method)

export const chooseWallet = (page: Page, wallet: string): Promise<void> => choose(page, /^E-wallet/, wallet)

export const fillAmount = (page: Page, rupiah: number): Promise<void> =>
  page.getByRole('textbox', { name: /Amount in rupiah/ }).fill(String(rupiah))

export const createTestPayment = (page: Page): Promise<void> =>
  page.getByRole('button', { name: 'Create test payment' }).click()
