import { expect, inject, test } from 'vitest'
import { http, logIn } from '../../packages/server/test/support/merchant.ts'
import { openDashboard } from './dashboard.ts'
import { waitForHeading } from './shell.page.ts'

const demo = inject('demo')
const UNKNOWN = '01990000-0000-7000-8000-000000000001'

test('the dashboard shows a nonexistent webhook delivery as not found, with a link to the webhooks', async () => {
  const { data: endpoint } = await http('POST', `${demo.base_url}/v1/webhook-endpoints`, {
    auth: await logIn(demo, demo.client),
    body: { mode: 'test', url: 'https://erp.example.com/unknown-delivery' },
  })
  const dashboard = await openDashboard(demo.client)
  const { page } = dashboard
  for (const path of [
    `/webhooks/${UNKNOWN}`,
    `/webhooks/endpoints/${endpoint.id}/deliveries/${UNKNOWN}`,
    `/webhooks/endpoints/${UNKNOWN}/deliveries/${UNKNOWN}`,
  ]) {
    await dashboard.go(path)
    await page.getByText('Delivery not found').waitFor()
    expect(await page.getByText('This content could not be loaded').count(), path).toBe(0)
    await page
      .getByRole('main')
      .getByRole('link', { name: /^All (deliveries|webhooks)$/ })
      .click()
    await waitForHeading(page, 'Webhooks')
  }
})
