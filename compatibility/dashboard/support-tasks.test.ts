// Tests that a support agent who does not know the dashboard can answer twelve common questions with at most three
// clicks each. Choosing a search result counts as a click.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { beforeAll, expect, inject, test } from 'vitest'
import { merchantOf, simulate } from '../../packages/server/test/support/merchant.ts'
import { ownClient } from '../own-client.ts'
import { openDashboard, settled } from './dashboard.ts'
import { type Furnished, furnish } from './furnished.ts'
import { paymentRow } from './payments.page.ts'

const shared = inject('demo')
const demo = { ...shared, client: { ...shared.client, ...(await ownClient(shared)) } }
const shop = merchantOf(demo)

let things: Furnished
let paidCode: string
let pending: { payment_code: string; method_data: { va_number: string } }
let overpaid: { payment_code: string }
beforeAll(async () => {
  things = await furnish(demo)
  paidCode = (await shop.get(things.paid.id)).data.payment_code
  pending = (await shop.create()).data
  overpaid = (await shop.create()).data
  await simulate(demo, overpaid as never, 'paid', { amount: 12_000_000 })
})

type Who = 'client' | 'owner'
/** One step in a task: either an element to click, or a function that types text before the next click. */
type Step = (page: Page) => Locator | Promise<void>
const area =
  (name: string): Step =>
  page =>
    page.getByRole('navigation').getByRole('link', { name: new RegExp(`^${name}`) })
const link =
  (name: string | RegExp): Step =>
  page =>
    page.getByRole('main').getByRole('link', { name }).first()
const button =
  (name: string | RegExp): Step =>
  page =>
    page.getByRole('main').getByRole('button', { name }).first()
const search =
  (text: () => string): Step =>
  page =>
    page.getByRole('main').getByRole('searchbox').fill(text())
const ofPayment =
  (code: () => string): Step =>
  page =>
    paymentRow(page, code()).getByRole('link', { name: code() })
const shown = (text: string | RegExp) => (page: Page) =>
  page.getByText(text).filter({ visible: true }).first()

const tasks: [question: string, who: Who, steps: Step[], answer: (page: Page) => Locator][] = [
  [
    'has the customer paid?',
    'client',
    [
      async page => {
        await page.keyboard.press('Control+k')
        await page.getByRole('dialog').getByRole('combobox').fill(paidCode)
      },
      page => page.getByRole('option', { name: paidCode }),
    ],
    page => page.getByRole('main').getByRole('status').filter({ hasText: 'Paid' }),
  ],
  [
    'which payment does a virtual account number belong to?',
    'client',
    [area('Payments'), search(() => pending.method_data.va_number), ofPayment(() => pending.payment_code)],
    page => page.getByRole('heading', { name: pending.payment_code }),
  ],
  [
    'how does the customer pay a pending payment?',
    'client',
    [area('Payments'), search(() => pending.payment_code), ofPayment(() => pending.payment_code)],
    shown('Virtual account number'),
  ],
  [
    'why was a webhook not delivered?',
    'client',
    [area('Webhooks'), link(/^payment\./)],
    shown(/^(500|204|200)|connect|Attempt/),
  ],
  [
    'can a webhook be sent again?',
    'client',
    [area('Webhooks'), link(/^payment\./), button(/Redeliver/)],
    shown(/Redeliver/),
  ],
  [
    'has a refund arrived?',
    'client',
    [area('Refunds'), button(/-R1$/)],
    page => page.getByRole('dialog').getByText('Refunded').first(),
  ],
  [
    'how is a payment refunded?',
    'client',
    [area('Payments'), search(() => paidCode), ofPayment(() => paidCode), button('Refund…')],
    page => page.getByRole('dialog', { name: /Refund/ }),
  ],
  [
    'which requests did our server send?',
    'client',
    [area('Requests')],
    shown(/^(GET|POST) \/v1\/payments\//),
  ],
  [
    'who changed a setting?',
    'client',
    [area('Audit log')],
    page => page.getByRole('table', { name: 'Audit log' }),
  ],
  [
    'what did the provider report about a merchant’s payment?',
    'owner',
    [area('Callbacks'), link(/^GP/)],
    page => page.getByRole('heading', { name: 'Provider callbacks' }),
  ],
  [
    'what happens if a customer pays too much?',
    'owner',
    [area('Inbox'), page => paymentRow(page, overpaid.payment_code).getByRole('button').first()],
    page => page.getByRole('dialog').getByText('More money was received than agreed.').first(),
  ],
  [
    'is a provider accepting payments now?',
    'owner',
    [area('Provider health')],
    page => page.getByRole('main').getByText('Midtrans').first(),
  ],
]

test.each(tasks)(
  'in the dashboard, at most three clicks answer the question: %s',
  async (_, who, steps, answer) => {
    const dashboard = await openDashboard(demo[who])
    await dashboard.go('/')
    const { page } = dashboard
    let clicks = 0
    for (const step of steps) {
      // Waits until the page shows its data, before the test makes the next click.
      await settled(dashboard)
      const target = step(page)
      if (target instanceof Promise) {
        await target
        continue
      }
      await target.click()
      clicks++
    }
    await answer(page).waitFor()
    expect(clicks).toBeLessThanOrEqual(3)
  },
)

test('this file tests exactly the common questions of the dashboard guide, in the same order', async () => {
  const guide = await readFile(join(import.meta.dirname, '../../docs/guides/dashboard.md'), 'utf8')
  const [, section = ''] = guide.split('## Answers to common questions')
  const questions = [...section.matchAll(/^\| ([^|]+\?) +\|/gm)].map(([, question = '']) => question)
  expect(questions.map(question => question.toLowerCase().replace("'", '’'))).toEqual(
    tasks.map(([question]) => question),
  )
})

test('a merchant exports the payments for finance with two clicks', async () => {
  const { page, go } = await openDashboard(demo.client)
  await go('/')
  await page.getByRole('navigation').getByRole('link', { name: 'Payments' }).click()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export to Excel' }).click(),
  ])
  expect(download.suggestedFilename()).toMatch(/\.xlsx$/)
})
