import { InfiniteQueryObserver, QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { refetch, refreshTops } from './refetch-in-turn.ts'

const REQUEST_MS = 1_000
const CHANGE_EVERY_MS = 300

/**
 * The current version of the data on the simulated server. A response contains the version that was current
 * when its request started.
 */
let version = 0
let requests = 0
let inFlight = 0
let mostInFlight = 0
/** How many of the next requests for a list's first page fail. */
let failures = 0
async function respond(): Promise<number> {
  const at = version
  requests++
  inFlight++
  mostInFlight = Math.max(mostInFlight, inFlight)
  await new Promise(resolve => setTimeout(resolve, REQUEST_MS))
  inFlight--
  return at
}

vi.mock('../api/trpc.ts', () => ({ client: {} }))
vi.mock('@trpc/client', () => ({
  getUntypedClient: () => ({
    async query() {
      const at = await respond()
      if (failures > 0) {
        failures--
        throw new Error('unavailable')
      }
      return pageOf(at)
    },
  }),
}))

const pageOf = (at: number, next: string | null = null) => ({
  items: [{ id: 'a', version: at }],
  next_cursor: next,
})

let queries: QueryClient
beforeEach(() => {
  vi.useFakeTimers()
  version = requests = inFlight = mostInFlight = failures = 0
  queries = new QueryClient({ defaultOptions: { queries: { networkMode: 'always', retry: false } } })
})
afterEach(() => {
  queries.clear()
  vi.useRealTimers()
})

const LIST = [['payments', 'list'], { input: { limit: 100 }, type: 'infinite' }]
const FIGURE = [['account', 'balance'], { type: 'query' }]

function openFigure() {
  const observer = new QueryObserver(queries, { queryKey: FIGURE, queryFn: respond })
  observer.subscribe(() => {})
  return () => observer.getCurrentResult().data
}

function openList(more: string | null = null) {
  const observer = new InfiniteQueryObserver(queries, {
    queryKey: LIST,
    queryFn: async ({ pageParam }) => pageOf(await respond(), pageParam === null ? more : null),
    initialPageParam: null as string | null,
    getNextPageParam: page => page.next_cursor,
  })
  observer.subscribe(() => {})
  return observer
}

/**
 * Changes the data on the server ten times. The pause between two changes is shorter than the time that a
 * request takes.
 */
async function changeOften(update: () => Promise<void>): Promise<void> {
  for (let change = 0; change < 10; change++) {
    version++
    void update()
    await vi.advanceTimersByTimeAsync(CHANGE_EVERY_MS)
  }
}

test.each([
  ['a figure', openFigure, () => refetch(queries, { queryKey: FIGURE })],
  ['a whole list', () => versionsOf(openList()), () => refetch(queries, {})],
  ['the first page of a list', () => versionsOf(openList()), () => refreshTops(queries, LIST.slice(0, 1))],
])(
  "if the server's data changes faster than a request takes, %s is refetched by one request at a time and finally shows the last change",
  async (_, open, update) => {
    const shown = open()
    await vi.advanceTimersByTimeAsync(REQUEST_MS)
    await changeOften(update)
    // By now, two requests have ended. Each response contains the changes made before its request was sent,
    // so some changes are already visible.
    expect(Number(shown())).toBeGreaterThanOrEqual(4)
    expect(mostInFlight).toBe(1)
    await vi.advanceTimersByTimeAsync(2 * REQUEST_MS)
    expect(Number(shown())).toBe(10)
    expect(requests).toBeLessThanOrEqual(6)
  },
)

const versionsOf = (list: ReturnType<typeof openList>) => () =>
  list.getCurrentResult().data?.pages.at(-1)?.items[0]?.version

test('if the user loads a further page during a refetch, the list is refetched again afterwards', async () => {
  const list = openList('next')
  await vi.advanceTimersByTimeAsync(REQUEST_MS)
  version++
  const refetched = refetch(queries, {})
  await vi.advanceTimersByTimeAsync(REQUEST_MS / 2)
  void list.fetchNextPage()
  await vi.advanceTimersByTimeAsync(4 * REQUEST_MS)
  await refetched
  const pages = list.getCurrentResult().data?.pages ?? []
  expect(pages.map(({ items }) => items[0]?.version)).toEqual([1, 1])
})

test.each([
  ['once', 1, 'the list shows the change', 1],
  ['three times', 3, 'it is not repeated again', 0],
])('if the refetch of a list’s first page fails $0, $2', async (_, times, __, shown) => {
  queries.setDefaultOptions({
    queries: { networkMode: 'always', retry: count => count < 2 },
  })
  const list = versionsOf(openList())
  await vi.advanceTimersByTimeAsync(REQUEST_MS)
  version++
  failures = times
  void refreshTops(queries, LIST.slice(0, 1))
  await vi.advanceTimersByTimeAsync(60_000)
  expect(list()).toBe(shown)
  expect(requests).toBe(1 + Math.min(times + 1, 3))
})

test('if a request to refetch data never ends, later refetches of the same data still take place', async () => {
  let hangs = false
  const never = new Promise<number>(() => {})
  const observer = new QueryObserver(queries, {
    queryKey: FIGURE,
    queryFn: () => (hangs ? never : respond()),
  })
  observer.subscribe(() => {})
  await vi.advanceTimersByTimeAsync(REQUEST_MS)
  hangs = true
  void refetch(queries, { queryKey: FIGURE })
  await vi.advanceTimersByTimeAsync(REQUEST_MS)
  version++
  hangs = false
  void refetch(queries, { queryKey: FIGURE })
  await vi.advanceTimersByTimeAsync(62_000)
  expect(observer.getCurrentResult().data).toBe(1)
})
