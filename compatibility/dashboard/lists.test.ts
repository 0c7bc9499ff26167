// Tests the order and number of items in the dashboard's lists, in a real browser.

import { randomUUID } from 'node:crypto'
import { beforeAll, expect, inject, test } from 'vitest'
import { http, logIn, merchantOf, simulate, until } from '../../packages/server/test/support/merchant.ts'
import { openDashboard } from './dashboard.ts'

const demo = inject('demo')
const accountId = demo.provider_accounts.find(
  ({ provider, mode }) => provider === 'midtrans' && mode === 'test',
)?.id as string

let auth: string
beforeAll(async () => {
  auth = await logIn(demo, demo.owner)
  const shop = merchantOf(demo)
  for (const date of ['2026-03-01', '2026-03-02']) {
    const { data: payment } = await shop.create()
    await simulate(demo, payment, 'paid', { amount: 12_000_000 })
    await until('it is paid', async () => (await shop.get(payment.id)).data.status === 'paid')
    await shop.call('POST', `/v1/payments/${payment.id}/refunds`, {
      body: { amount: 100, bank_account: { bank: 'BCA', number: '1234567890', holder_name: 'Budi Santoso' } },
      headers: { 'x-idempotency-key': randomUUID() },
    })
    const { status } = await http(
      'PUT',
      `${demo.base_url}/v1/providers/midtrans/accounts/${accountId}/settlements/${date}`,
      { auth, raw: 'reference,amount\nan unknown payment,1\n', headers: { 'content-type': 'text/csv' } },
    )
    expect(status).toBe(200)
  }
})

const dayOf = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })

test.each([
  {
    list: 'unexpected money',
    path: '/inbox?status=all&mode=test',
    count: /^\d+ items$/,
    header: 'Recorded',
    procedure: 'unexpectedMoney.list',
    input: { mode: 'test' },
    nameOf: ({ reference }) => reference,
  },
  {
    list: 'refunds that wait for a decision',
    path: '/inbox?tab=refunds&mode=test',
    count: /^\d+ refunds$/,
    header: 'Reference, created',
    procedure: 'refunds.listDetails',
    input: { mode: 'test', waiting: 'true' },
    nameOf: ({ reference }) => reference,
  },
  {
    list: 'settlements',
    path: `/reconciliation?tab=settlements&account=${accountId}&mode=test`,
    count: /^\d+ files$/,
    header: 'Uploaded',
    procedure: 'settlements.list',
    input: { provider_code: 'midtrans', account_id: accountId },
    nameOf: ({ date = '' }) => dayOf.format(new Date(date)),
  },
] satisfies {
  list: string
  path: string
  count: RegExp
  header: string
  procedure: string
  input: Record<string, string>
  nameOf: (item: Record<string, string>) => string | undefined
}[])(
  'the list of $list shows its number of items, and a click on its time column reverses the order, also in the URL',
  async ({ path, count, header, procedure, input, nameOf }) => {
    const dashboard = await openDashboard(demo.owner)
    const { page } = dashboard
    await dashboard.go(path)
    await page.getByRole('main').getByRole('status').filter({ hasText: count }).waitFor()
    const sorted = page.getByRole('columnheader', { name: header })
    /** Waits until the table's first row shows the first item the server returns in this order. */
    const waitForFirst = (order: string) =>
      expect
        .poll(async () => {
          const query = encodeURIComponent(JSON.stringify({ ...input, order, limit: 1 }))
          const response = await fetch(`${demo.base_url}/trpc/${procedure}?input=${query}`, {
            headers: { authorization: auth },
          })
          const { result } = await response.json()
          const row = await page.locator('tbody tr').first().textContent()
          return row?.includes(nameOf(result.data.items[0]) ?? 'no item')
        })
        .toBe(true)
    await waitForFirst('newest')
    expect(await sorted.getAttribute('aria-sort')).toBe('descending')
    await sorted.getByRole('button').click()
    await page.waitForURL(/[?&]order=oldest(&|$)/)
    await waitForFirst('oldest')
    expect(await sorted.getAttribute('aria-sort')).toBe('ascending')
  },
)

const never = 'from=2020-01-01&to=2020-01-01'

test.each([
  ['client', `/payments?${never}`],
  ['client', `/refunds?${never}`],
  ['client', `/requests?${never}`],
  ['client', `/audit-log?${never}`],
  ['client', '/webhooks?payment_id=GP200101-AAAAAAAAAA'],
  ['owner', '/callbacks?payment_id=GP200101-AAAAAAAAAA'],
  ['owner', `/tenants/${demo.client.tenant_id}?tab=payments&${never}`],
] as const)(
  'the button Clear filters keeps the chosen order of a list in the dashboard (role %s, path %s)',
  async (role, path) => {
    const dashboard = await openDashboard(demo[role])
    const { page } = dashboard
    await dashboard.go(`${path}&mode=test&order=oldest`)
    const filters = new URL(page.url()).searchParams
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByRole('button', { name: 'Clear filters' }).waitFor({ state: 'detached' })
    const { searchParams } = new URL(page.url())
    expect(searchParams.get('order')).toBe('oldest')
    expect(searchParams.get('tab')).toBe(filters.get('tab'))
    expect([...searchParams.keys()].filter(name => ['from', 'to', 'payment_id'].includes(name))).toEqual([])
  },
)

test.each([
  ['client', '/api-keys', 'API keys', 'key'],
  ['client', '/users', 'Users', 'user'],
  ['client', '/security', 'Sessions', 'session'],
  ['partner', '/tenants', 'Clients', 'client'],
  ['owner', '/tenants', 'Tenants', 'tenant'],
  ['owner', '/provider-accounts', 'Midtrans', 'account'],
  ['owner', `/tenants/${demo.client.tenant_id}?tab=users`, 'Users', 'user'],
  ['owner', `/tenants/${demo.client.tenant_id}?tab=keys`, 'API keys', 'key'],
] as const)(
  'for the role %s, the list on the dashboard page %s shows its number of items',
  async (role, path, name, item) => {
    const dashboard = await openDashboard(demo[role])
    const { page } = dashboard
    await dashboard.go(path)
    const table = page.getByRole('table', { name, exact: true })
    await expect
      .poll(async () => {
        const rows = Number(await table.getAttribute('aria-rowcount')) - 1
        const words = rows === 1 ? `1 ${item}` : `${rows} ${item}s`
        return page
          .getByRole('main')
          .getByRole('status')
          .filter({ hasText: new RegExp(`^${words}$`) })
          .count()
      })
      .toBe(1)
  },
)
