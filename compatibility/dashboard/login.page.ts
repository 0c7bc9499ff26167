// Functions for browser tests that use the login page.

import type { Page } from 'playwright-core'

export type Login = { email: string; password: string }

export async function fillLogin(page: Page, { email, password }: Login): Promise<void> {
  await page.getByRole('textbox', { name: /email/i }).fill(email)
  await page.locator('input[type=password]').fill(password)
}

/** Fills in the login form and submits it with the Enter key. Does not wait for the response. */
export async function submitLogin(page: Page, login: Login): Promise<void> {
  await fillLogin(page, login)
  await page.keyboard.press('Enter')
}
