import { InfiniteQueryObserver, QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { catchUp, showChanges } from './show-changes.ts'

type Item = { id: string; status: string; payment_id: string }

const recent = vi.hoisted(() => vi.fn())
const getPayment = vi.hoisted(() => vi.fn())
const getDelivery = vi.hoisted(() => vi.fn())

vi.mock('../api/trpc.ts', () => {
  const path = (...names: string[]) => ({ pathKey: () => [names] })
  return {
    client: {
      live: { recent: { query: recent } },
      payments: { get: { query: getPayment } },
      webhooks: { delivery: { query: getDelivery } },
    },
    trpc: {
      payments: { ...path('payments'), list: path('payments', 'list') },
      webhooks: { deliveries: path('webhooks', 'deliveries') },
      refunds: { ...path('refunds'), listDetails: path('refunds', 'listDetails') },
      callbacks: { ...path('callbacks'), list: path('callbacks', 'list') },
      support: { refunds: path('support', 'refunds') },
      providers: { health: path('providers', 'health') },
      reports: { payments: path('reports', 'payments') },
    },
  }
})
vi.mock('@trpc/client', () => ({
  getUntypedClient: () => ({ query: async (procedure: string) => server[procedure]?.[0] }),
}))

/** For each list, the pages that the simulated server returns. A page's cursor is its index in the array. */
let server: Record<string, { items: Item[]; next_cursor: string | null }[]>
let queries: QueryClient
let fetched: string[]
/** Delays the server's responses that contain a page of a list. Undefined if responses are not delayed. */
let responseDelay: (() => Promise<void>) | undefined

beforeEach(() => {
  queries = new QueryClient({ defaultOptions: { queries: { networkMode: 'always', retry: false } } })
  fetched = []
  responseDelay = undefined
  server = {}
  for (const mock of [recent, getPayment, getDelivery]) mock.mockReset()
  getPayment.mockImplementation(async ({ payment_id: id }) => itemOf('payments.list', id))
  getDelivery.mockImplementation(async ({ event_id: id }) => itemOf('webhooks.deliveries', id))
})
afterEach(() => queries.clear())

const itemOf = (list: string, id: string) => {
  fetched.push(id)
  return server[list]?.flatMap(({ items }) => items).find(item => item.id === id)
}

/** Opens a list with two pages of two items each. Only the first page is loaded. */
async function openFirstPage(name: string, status: string) {
  const items = ['4', '3', '2', '1'].map(id => ({ id, status, payment_id: `p${id}` }))
  server[name] = [
    { items: items.slice(0, 2), next_cursor: '1' },
    { items: items.slice(2), next_cursor: null },
  ]
  const observer = new InfiniteQueryObserver(queries, {
    queryKey: [name.split('.'), { input: { limit: 2 }, type: 'infinite' }],
    queryFn: async ({ pageParam }) => {
      const page = structuredClone(server[name]?.[Number(pageParam)])
      await responseDelay?.()
      return page
    },
    initialPageParam: '0',
    getNextPageParam: page => page?.next_cursor,
  })
  observer.subscribe(() => {})
  await expect.poll(() => observer.getCurrentResult().isSuccess).toBe(true)
  return {
    fetchNextPage: () => observer.fetchNextPage(),
    statuses: () =>
      observer.getCurrentResult().data?.pages.flatMap(page => page?.items.map(each => each.status)),
  }
}

/** Opens a list with two loaded pages of two items each. Returns a function that reads the statuses in the list. */
async function openList(name: string, status: string) {
  const { statuses, fetchNextPage } = await openFirstPage(name, status)
  await fetchNextPage()
  return statuses
}

const change = (name: string, index: number, status: string) => {
  const item = server[name]?.flatMap(({ items }) => items)[index]
  if (item) item.status = status
}

test('after a short interruption, payments that changed meanwhile are updated on every loaded page', async () => {
  const statuses = await openList('payments.list', 'pending')
  change('payments.list', 0, 'paid')
  change('payments.list', 3, 'paid')
  recent.mockResolvedValue([
    { kind: 'payment', id: '4', payment_id: null },
    { kind: 'payment', id: '1', payment_id: null },
  ])
  await catchUp(queries, 3_000)
  expect(statuses()).toEqual(['paid', 'pending', 'pending', 'paid'])
  expect(fetched).toEqual(['1'])
})

test('after an interruption of 3 seconds, the page requests at least the last 43 seconds of changes', async () => {
  await openList('payments.list', 'pending')
  recent.mockResolvedValue([])
  await catchUp(queries, 3_000)
  expect(recent.mock.lastCall?.[0].ms).toBeGreaterThanOrEqual(43_000)
})

test('after a short interruption, pending webhook deliveries on later list pages are refetched', async () => {
  const statuses = await openList('webhooks.deliveries', 'pending')
  change('webhooks.deliveries', 2, 'delivered')
  recent.mockResolvedValue([])
  await catchUp(queries, 3_000)
  expect(statuses()).toEqual(['pending', 'pending', 'delivered', 'pending'])
})

test.each([
  [
    'too much has changed',
    () => recent.mockResolvedValue([{ kind: 'everything', id: '', payment_id: null }]),
  ],
  ['the changes cannot be loaded', () => recent.mockRejectedValue(new Error('unavailable'))],
])('after a short interruption, all loaded pages are refetched if %s', async (_, respond) => {
  const statuses = await openList('payments.list', 'pending')
  change('payments.list', 3, 'paid')
  respond()
  await catchUp(queries, 3_000)
  expect(statuses()).toEqual(['pending', 'pending', 'pending', 'paid'])
})

test('after a short interruption, no list of changes is requested if only first pages are loaded', async () => {
  await catchUp(queries, 3_000)
  expect(recent).not.toHaveBeenCalled()
})

test.each([
  ['refunds.listDetails', { kind: 'refund', id: '1', payment_id: 'p1' }],
  ['callbacks.list', { kind: 'callback', id: '1', payment_id: null }],
] as const)(
  'if a row changes on a later page of the list %s, the dashboard updates the row',
  async (list, changed) => {
    const statuses = await openList(list, 'pending')
    change(list, 3, 'succeeded')
    await showChanges(queries, [{ ...changed, id: '4', payment_id: 'p4' }])
    expect(statuses(), 'a row on the first page has changed').toEqual(Array(4).fill('pending'))
    await showChanges(queries, [changed])
    expect(statuses()).toEqual(['pending', 'pending', 'pending', 'succeeded'])
  },
)

test.each([
  ['refunds.listDetails', { kind: 'refund', id: '1', payment_id: 'p1' }],
  ['callbacks.list', { kind: 'callback', id: '1', payment_id: null }],
] as const)('a row of %s that changes while its page is loading is updated', async (list, changed) => {
  const { statuses, fetchNextPage } = await openFirstPage(list, 'pending')
  const isRequested = Promise.withResolvers<void>()
  const response = Promise.withResolvers<void>()
  responseDelay = () => {
    isRequested.resolve()
    return response.promise
  }
  const loading = fetchNextPage()
  await isRequested.promise
  responseDelay = undefined
  change(list, 3, 'succeeded')
  const shown = showChanges(queries, [changed])
  response.resolve()
  await Promise.all([loading, shown])
  expect(statuses()).toEqual(['pending', 'pending', 'pending', 'succeeded'])
})

test.each(['refunds.listDetails', 'callbacks.list'])(
  'after a short interruption, all loaded pages of %s are refetched',
  async list => {
    const statuses = await openList(list, 'pending')
    change(list, 3, 'succeeded')
    await catchUp(queries, 3_000)
    expect(statuses()).toEqual(['pending', 'pending', 'pending', 'succeeded'])
  },
)
