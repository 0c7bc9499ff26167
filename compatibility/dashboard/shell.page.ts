// Functions for browser tests that use the parts around every dashboard page: the navigation, the live update
// status and the user menu.

import type { Page } from 'playwright-core'

/** Opens a dashboard page from the navigation. */
export const openArea = (page: Page, name: string): Promise<void> =>
  page.getByRole('navigation').getByRole('link', { name, exact: true }).click()

export const waitForHeading = (page: Page, name: string): Promise<void> =>
  page.getByRole('heading', { level: 1, name }).waitFor()

export const waitForLiveUpdates = (page: Page): Promise<void> =>
  page.getByRole('img', { name: 'Live updates are on' }).waitFor()

export const logOut = (page: Page): Promise<void> => page.getByRole('button', { name: 'Log out' }).click()

/** Switches the language, unless the page is already in that language. */
export async function switchLanguage(page: Page, name: 'English' | 'Bahasa Indonesia'): Promise<void> {
  const button = page.getByRole('button', { name })
  if (await button.count()) await button.click()
}
