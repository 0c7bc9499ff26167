// Tests the live feed: an open dashboard page is soon notified of its own tenant's changes, and never of another
// tenant's.

import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { totalLimits } from '../../src/http/admission/admission.ts'
import { httpMetrics } from '../../src/http/http-metrics.ts'
import { pollRowsOfTenants } from '../../src/live/polled-rows.sql.ts'
import { testApp } from '../support/app.ts'
import { http, logIn, merchantOf, receiver, simulate, until } from '../support/merchant.ts'

const { app, demo } = await testApp()

/** The route name that the metrics use for all tRPC calls. */
const TRPC = '/trpc/*path'

type Change = { kind: string; id: string; payment_id: string | null }
type Page = {
  type: string
  changes: Change[]
  errors: string[]
  /** True once the feed has sent its initial list. From then on, the feed reports every change. */
  isWatching: boolean
  isOver: boolean
  close(): void
}

const open: Page[] = []
afterEach(() => {
  for (const page of open.splice(0)) page.close()
})

/** Opens the live feed as a browser does. The promise resolves once the response has started. */
async function openPage(authorization: string | undefined): Promise<Page> {
  const leaving = new AbortController()
  const response = await fetch(`${demo.base_url}/trpc/live.changes`, {
    headers: { accept: 'text/event-stream', ...(authorization && { authorization }) },
    signal: leaving.signal,
  })
  const page: Page = {
    type: response.headers.get('content-type') ?? '',
    changes: [],
    errors: [],
    isWatching: false,
    isOver: false,
    close: () => leaving.abort(),
  }
  open.push(page)
  void (async () => {
    let text = ''
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk
      for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
        const event = text.slice(0, end)
        text = text.slice(end + 2)
        const data = /^data: (\[.*\])$/m.exec(event)?.[1]
        if (data) {
          page.isWatching = true
          page.changes.push(...(JSON.parse(data) as Change[]))
        }
        if (event.includes('event: serialized-error')) page.errors.push(event)
      }
    }
    page.isOver = true
  })().catch(() => {
    page.isOver = true
  })
  return page
}

const kinds = (page: Page, id: string): string[] =>
  page.changes.filter(change => change.id === id).map(change => change.kind)

let client: string
let stranger: string
let owner: string
beforeAll(async () => {
  ;[client, stranger, owner] = (await Promise.all(
    [demo.client, demo.client2, demo.owner].map(who => logIn(demo, who)),
  )) as [string, string, string]
})
const untilWatched = (...pages: Page[]) =>
  until('the live feeds report every change', () => pages.every(({ isWatching }) => isWatching))

test("the live feed (stream of changes) of a merchant reports only this merchant's payments and webhooks", async () => {
  await receiver(demo)
  const [page, other] = await Promise.all([openPage(client), openPage(stranger)])
  expect(page.type).toBe('text/event-stream')
  await untilWatched(page, other)
  const { data: payment } = await merchantOf(demo).create()
  await until(
    'the page is notified of the creation',
    async () => kinds(page, payment.id).length > 0 || undefined,
  )
  const before = page.changes.length
  await simulate(demo, payment, 'paid')
  const delivery = await until('the page is notified of the webhook', async () =>
    page.changes.slice(before).find(change => change.kind === 'delivery' && change.payment_id === payment.id),
  )
  expect(page.changes.slice(before)).toContainEqual({ kind: 'payment', id: payment.id, payment_id: null })
  expect(delivery?.id).toMatch(/^[0-9a-f-]{36}$/)
  await pause(1_000)
  expect(other.changes).toEqual([])
  // The dashboard page receives each change only once, although the service polls the database repeatedly.
  expect(kinds(page, payment.id)).toEqual(['payment', 'payment'])
})

test('if a webhook is retried, the live feed reports each of its delivery attempts', async () => {
  await receiver(demo, () => 500)
  const page = await openPage(client)
  await untilWatched(page)
  const { data: event } = await http('POST', `${demo.base_url}/v1/account/webhook/test`, {
    auth: client,
    body: {},
  })
  await until(
    'the page is notified of two attempts',
    async () => kinds(page, event.id).length >= 2 || undefined,
  )
})

test("the Owner's live feed reports callbacks, as well as unexpected money that awaits the Owner's decision", async () => {
  const page = await openPage(owner)
  await untilWatched(page)
  const { data: payment } = await merchantOf(demo).create()
  await simulate(demo, payment, 'paid', { amount: 20_000_000 })
  await until('both pages are notified', async () => {
    const told = new Set(page.changes.map(({ kind }) => kind))
    return (told.has('callback') && told.has('inbox')) || undefined
  })
  expect(page.changes.map(({ kind }) => kind)).not.toContain('payment')
})

test.each([
  ['an anonymous caller', () => undefined],
  ['an API key', () => `ApiKey ${demo.client.test_key}`],
])('%s cannot open the live feed (stream of payment changes)', async (_, authorization) => {
  const page = await openPage(authorization())
  await until('the live feed has ended', () => page.isOver)
  expect(page.errors).toEqual([expect.stringContaining('UNAUTHORIZED')])
})

test("a tenant's live feed reports no more changes once the tenant is suspended", async () => {
  const set = (status: string) =>
    http('PATCH', `${demo.base_url}/v1/tenants/${demo.client2.tenant_id}`, { auth: owner, body: { status } })
  const page = await openPage(stranger)
  await untilWatched(page)
  const { data: payment } = await merchantOf(demo, demo.client2.test_key).create()
  await until('the page is notified', () => kinds(page, payment.id).length > 0)
  await set('suspended')
  await pause(1_500)
  const told = page.changes.length
  // Pays the payment after its tenant was suspended, because payers can still pay the payments of a suspended
  // tenant.
  await simulate(demo, payment, 'paid')
  await until('the page is closed', () => page.isOver)
  expect(page.changes).toHaveLength(told)
  await set('active')
})

test("a live feed ends when the user logs out of its session, while other sessions' feeds continue", async () => {
  const logInAnew = () => http('POST', `${demo.base_url}/v1/auth/login`, { body: demo.client })
  const { data: session } = await logInAnew()
  const [page, other] = await Promise.all([openPage(`Bearer ${session.access_token}`), openPage(client)])
  await untilWatched(page, other)
  const { data: payment } = await merchantOf(demo).create()
  await until(
    'both pages are notified',
    () => kinds(page, payment.id).length + kinds(other, payment.id).length > 1,
  )
  await http('POST', `${demo.base_url}/v1/auth/logout`, { body: { refresh_token: session.refresh_token } })
  await pause(1_000)
  const told = page.changes.length
  await simulate(demo, payment, 'paid')
  await until('the page is closed', () => page.isOver)
  expect(page.changes).toHaveLength(told)
  await until('the other page is notified', () => kinds(other, payment.id).length > 1)
  expect(other.isOver).toBe(false)
})

test('a tenant can have at most sixteen live feeds open', async () => {
  const pages = await Promise.all(Array.from({ length: 16 }, () => openPage(client)))
  const refused = await openPage(client)
  await until('the live feed is rejected', () => refused.isOver)
  expect(refused.errors).toEqual([expect.stringContaining('RATE_LIMITED')])
  expect(pages.map(({ isOver }) => isOver)).toEqual(Array(16).fill(false))
  pages[0]?.close()
  await until('a live feed can be opened again', async () => {
    const page = await openPage(client)
    await pause(300)
    return !page.isOver
  })
})

test('a closed live feed no longer counts toward the limit on requests in flight', async () => {
  const { requests } = totalLimits.merchants
  totalLimits.merchants.requests = 10
  try {
    for (let turn = 0; turn < 3; turn++) {
      const pages = await Promise.all(Array.from({ length: 8 }, () => openPage(client)))
      for (const page of pages) page.close()
      await pause(300)
    }
    const account = () => fetch(`${demo.base_url}/v1/account`, { headers: { authorization: client } })
    await until('a request is accepted', async () => (await account()).status === 200)
  } finally {
    totalLimits.merchants.requests = requests
  }
})

test('the time for which a live feed is open is not included in the request duration metrics', async () => {
  const told = vi.spyOn(app.log, 'info')
  const ends = () =>
    told.mock.calls.filter(([fields]) => (fields as { route?: string }).route === TRPC).length
  const durations = async () => {
    const { values } = await httpMetrics.requests.get()
    const ofTrpc = values.filter(each => each.metricName?.endsWith('_count') && each.labels.route === TRPC)
    return ofTrpc.reduce((sum, { value }) => sum + value, 0)
  }
  const before = await durations()
  const page = await openPage(client)
  page.close()
  await until('the end of the page is logged', () => ends() === 1)
  expect(await durations()).toBe(before)
  await http('GET', `${demo.base_url}/trpc/methods.activeMethods`, { auth: client })
  await until('the end of the call is logged', () => ends() === 2)
  expect(await durations()).toBe(before + 1)
})

test('the live feed reports a new payment only when the API returns the payment', async () => {
  const page = await openPage(client)
  await untilWatched(page)
  const merchant = merchantOf(demo)
  const slow = merchant.create({ customer_name: 'SANDBOX SLOW' })
  const change = await until('the page is notified', () =>
    page.changes.find(({ kind }) => kind === 'payment'),
  )
  expect((await merchant.get(change.id)).data).toMatchObject({ id: change.id, status: 'pending' })
  expect((await slow).data.id).toBe(change.id)
})

test('one database poll finds the changes of several tenants and returns them separately for each tenant', async () => {
  const { data: payment } = await merchantOf(demo).create()
  const seen = await pollRowsOfTenants(app.db, [demo.client.tenant_id, demo.client2.tenant_id])
  expect(seen.get(demo.client.tenant_id)?.map(({ id }) => id)).toContain(payment.id)
  expect(seen.get(demo.client2.tenant_id)?.map(({ id }) => id)).not.toContain(payment.id)
  expect([...seen.keys()]).toEqual([demo.client.tenant_id, demo.client2.tenant_id])
})
