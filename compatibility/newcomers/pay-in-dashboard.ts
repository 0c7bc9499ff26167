// Logs in to the dashboard and pays a test payment in a real browser, as a merchant does on the first visit.

import type { Login } from '../dashboard/login.page.ts'
import { fillLogin } from '../dashboard/login.page.ts'
import { createTestPayment, fillAmount } from '../dashboard/new-payment.page.ts'
import { openArea } from '../dashboard/shell.page.ts'
import { launchChromium } from '../support/chromium.ts'
import type { Stopwatch } from './stopwatch.ts'

const source = 'docs/guides/dashboard.md'

/** Logs in, creates a test payment of Rp150,000, pays it in the sandbox and waits until the payment is paid. */
export async function payInDashboard(url: string, login: Login, time: Stopwatch['time']): Promise<void> {
  const browser = await launchChromium()
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 860 } })
    page.setDefaultTimeout(120_000)
    await time('README.md', `open ${url} and log in`, async () => {
      await page.goto(url)
      await fillLogin(page, login)
      await page.getByRole('button', { name: 'Log in' }).click()
      await page.getByRole('heading', { level: 1 }).filter({ hasText: 'Overview' }).waitFor()
    })
    await time(source, 'create a test payment in the dashboard', async () => {
      await openArea(page, 'Payments')
      await page.getByRole('link', { name: 'Test payment' }).click()
      await fillAmount(page, 150_000)
      await createTestPayment(page)
      await page.getByRole('link', { name: 'Open payment' }).click()
      await page.waitForURL(/\/payments\/[0-9a-f-]{36}$/)
    })
    await time(source, 'pay the test payment in the sandbox, and see it paid in the dashboard', async () => {
      const [sandbox] = await Promise.all([
        page.context().waitForEvent('page'),
        page.getByRole('link', { name: 'Pay in the sandbox' }).click(),
      ])
      await sandbox.getByRole('button', { name: 'Pay', exact: true }).click()
      await page.getByText('Paid', { exact: true }).first().waitFor()
    })
    await time(source, 'see the balance in the dashboard', async () => {
      await openArea(page, 'Ledger')
      await page
        .getByText(/Rp\s?150,000/)
        .first()
        .waitFor()
    })
  } finally {
    await browser.close()
  }
}
