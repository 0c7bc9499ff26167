// Tests how the Inbox shows the differences found by a daily reconciliation. The service under test has no
// data from the previous day to reconcile, so the test replaces the service's responses with its own.

import { readFile } from 'node:fs/promises'
import type { Route } from 'playwright-core'
import { expect, inject, test } from 'vitest'
import { barriers } from '../site/browser.ts'
import { openDashboard, picture, settled } from './dashboard.ts'
import { openItem } from './inbox.page.ts'
import { switchLanguage } from './shell.page.ts'

const demo = inject('demo')
const document = JSON.parse(await readFile(new URL('../../openapi/openapi.json', import.meta.url), 'utf8'))
const exampleOf = (path: string) => {
  const media = document.paths[path].get.responses[200].content['application/json']
  const [named] = Object.values<{ value: { data: object } }>(media.examples ?? {})
  return (named?.value ?? media.example).data
}
const differences = {
  ...exampleOf('/v1/reconciliation-differences'),
  total: { count: 1, is_exact: true },
}
const [difference] = differences.items
const runs = exampleOf('/v1/reconciliation-runs')
const not_checked = [
  { provider: 'midtrans', provider_account_id: difference.provider_account_id, payments: 3, retried: true },
]
const answers: Record<string, object> = {
  'reconciliation.listDifferences': differences,
  'reconciliation.listRuns': { ...runs, items: runs.items.map((run: object) => ({ ...run, not_checked })) },
  'reconciliation.closeDifference': { ...difference, closed_by: 'owner' },
}

/**
 * Replaces the service's responses to the calls listed in this test file. All other calls go to the service, even
 * those in the same batch request.
 */
async function answer(route: Route, sent: string[]): Promise<void> {
  const request = route.request()
  const names = new URL(request.url()).pathname.replace('/trpc/', '').split(',')
  if (!names.some(name => name in answers)) return route.continue()
  sent.push(...names.map(name => `${name} ${request.postData() ?? ''}`.trim()))
  if (names.every(name => name in answers))
    return route.fulfill({ json: names.map(name => ({ result: { data: answers[name] } })) })
  const response = await route.fetch()
  const told: object[] = await response.json()
  const json = told.map((each, index) => {
    const data = answers[names[index] ?? '']
    return data ? { result: { data } } : each
  })
  return route.fulfill({ response, json })
}

test('the list of reconciliation differences shows how many are open, and clicking its time header reverses the order', async () => {
  const dashboard = await openDashboard(demo.owner)
  const { page } = dashboard
  await page.route('**/trpc/**', route => answer(route, []))
  await dashboard.go('/inbox?tab=differences')
  await page.getByText('1 difference', { exact: true }).waitFor()
  const header = page.getByRole('columnheader', { name: 'Found' })
  expect(await header.getAttribute('aria-sort')).toBe('descending')
  const [request] = await Promise.all([
    page.waitForRequest(
      sent => /listDifferences/.test(sent.url()) && /"order":"oldest"/.test(decodeURIComponent(sent.url())),
    ),
    header.getByRole('button').click(),
  ])
  expect(decodeURIComponent(request.url())).toContain('"status":"open"')
  await page.waitForURL(/[?&]order=oldest(&|$)/)
  expect(await header.getAttribute('aria-sort')).toBe('ascending')
})

test.each([
  [
    'English',
    {
      tab: 'Differences',
      reason: 'Reason',
      close: 'Close difference',
      away: 'Some payments could not be checked',
      detail: 'The payment is paid in Gapura, but no settlement contains it.',
    },
  ],
  [
    'Bahasa Indonesia',
    {
      tab: 'Selisih',
      reason: 'Alasan',
      close: 'Tutup selisih',
      away: 'Sebagian pembayaran tidak dapat diperiksa',
      detail: 'Pembayaran lunas di Gapura, tetapi tidak ada di settlement mana pun.',
    },
  ],
] as const)(
  'a reconciliation difference is shown with the records of Gapura and the provider, and the Owner closes it with a reason: %s',
  async (language, words) => {
    const dashboard = await openDashboard(demo.owner)
    const { page } = dashboard
    const sent: string[] = []
    await page.route('**/trpc/**', route => answer(route, sent))
    await dashboard.go('/inbox')
    await switchLanguage(page, language)
    await page.getByRole('tab', { name: words.tab }).click()
    await page.getByText(words.away).waitFor()
    await settled(dashboard)
    await picture(dashboard, `differences, ${language}`)
    expect(await barriers(page)).toEqual([])
    const drawer = await openItem(page, difference.payment_code)
    await drawer.getByText(words.detail).waitFor()
    expect(await drawer.getByRole('link', { name: /Reconcile|Rekonsiliasi/ }).getAttribute('href')).toContain(
      `/reconciliation?date=${difference.date}`,
    )
    expect(await barriers(page)).toEqual([])
    const close = drawer.getByRole('button', { name: words.close })
    await close.click()
    expect(sent.some(each => each.startsWith('reconciliation.closeDifference'))).toBe(false)
    await drawer.getByRole('textbox', { name: words.reason }).fill('settled tomorrow')
    await close.click()
    await drawer.waitFor({ state: 'hidden' })
    expect(sent.filter(each => each.startsWith('reconciliation.closeDifference'))).toEqual([
      expect.stringContaining('settled tomorrow'),
    ])
  },
)
