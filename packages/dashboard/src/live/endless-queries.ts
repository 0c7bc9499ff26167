// Keeps cached lists, which load page by page, current without reloading all their pages.

import type { InfiniteData, Query, QueryClient } from '@tanstack/react-query'
import { getUntypedClient } from '@trpc/client'
import { client } from '../api/trpc.ts'
import type { ListOrder } from '../table/order.ts'
import { mergeEnd, mergeTop, replaceItems } from './merge-top.ts'

/** A row of a list in the dashboard. If the row is about a payment, it has `payment_id`. */
export type Row = { id: string; payment_id?: string | null }
type Page = { items: Row[]; next_cursor: string | null }
type Endless = InfiniteData<Page, string | null>

const untyped = getUntypedClient(client)

const metaOf = (query: Query) =>
  query.queryKey[1] as { input?: Record<string, unknown>; type?: string } | undefined
export const isEndless = (query: Query): boolean => metaOf(query)?.type === 'infinite'
export const inputOf = (query: Query): Record<string, unknown> => metaOf(query)?.input ?? {}

export const openLists = (queries: QueryClient, path: readonly unknown[]): Query[] =>
  queries.getQueryCache().findAll({ queryKey: path, type: 'active', predicate: isEndless })

/**
 * Requests for a list's first page are numbered, so that a late response to an older request does not replace a newer
 * one. For each list, `asked` contains the number of the latest request. `shown` contains the number of the request
 * whose response the list shows.
 */
const asked = new WeakMap<Query, number>()
const shown = new WeakMap<Query, number>()

/**
 * Waits until a page that is loading has arrived. TanStack Query adds this page to the copy of the list that existed
 * when the page was requested. A change made to the list in the meantime would therefore be lost.
 */
export async function waitForPage(query: Query): Promise<void> {
  if (query.state.fetchStatus === 'fetching') await query.promise?.catch(() => {})
}

/** The delay in milliseconds before a failed request is repeated. It doubles with each failure. */
const REPEAT_AFTER_MS = 1_000

/**
 * Sends a request. If it fails, repeats it according to the query client's setting `retry`. Without repetitions, a
 * single request that the service rejects under load would leave a list outdated until the next change.
 */
async function withRetries<Result>(queries: QueryClient, send: () => Promise<Result>): Promise<Result> {
  const { retry } = queries.getDefaultOptions().queries ?? {}
  for (let failures = 0; ; failures++) {
    try {
      return await send()
    } catch (error) {
      if (typeof retry !== 'function' || !retry(failures, error as Error)) throw error
      await new Promise(resolve => setTimeout(resolve, REPEAT_AFTER_MS * 2 ** failures))
    }
  }
}

/**
 * Refetches only the first page of a list, for live updates (`refreshTops` in refetch-in-turn.ts). `query` is
 * the list's query.
 */
export async function refreshTop(queries: QueryClient, query: Query): Promise<void> {
  const turn = (asked.get(query) ?? 0) + 1
  asked.set(query, turn)
  const procedure = (query.queryKey[0] as string[]).join('.')
  const ask = (input: Record<string, unknown>) =>
    withRetries(queries, () => untyped.query(procedure, input)) as Promise<Page>
  for (;;) {
    await waitForPage(query)
    const { order } = inputOf(query) as { order?: ListOrder }
    const top = await ask(inputOf(query))
    const endCursor = order === 'oldest' ? cursorOfEnd(query) : undefined
    const end = endCursor && (await ask({ ...inputOf(query), cursor: endCursor }))
    if ((shown.get(query) ?? 0) > turn) return
    if (query.state.fetchStatus === 'fetching') continue
    shown.set(query, turn)
    queries.setQueryData<Endless>(query.queryKey, data => {
      if (!data) return data
      const { pages, isAnew } = mergeTop(data.pages, top, order)
      if (isAnew) return { pages, pageParams: data.pageParams.slice(0, 1) }
      const isSameEnd = cursorOfEnd(query) === endCursor
      return { pages: end && isSameEnd ? mergeEnd(pages, end) : pages, pageParams: data.pageParams }
    })
    return
  }
}

/**
 * Returns the cursor of a list's last page. Returns undefined if the list has only one page or its last page is not
 * loaded.
 */
function cursorOfEnd(query: Query): string | undefined {
  const { pages = [], pageParams = [] } = (query.state.data ?? {}) as Partial<Endless>
  return pages.at(-1)?.next_cursor === null ? (pageParams.at(-1) ?? undefined) : undefined
}

/**
 * Refetches all loaded pages of a list. If the user loads a further page in the meantime, TanStack Query cancels the
 * refetch, so this function repeats the refetch.
 */
export async function refetchLoaded(queries: QueryClient, query: Query): Promise<void> {
  const isLoadingPage = () => Boolean(query.state.fetchMeta?.fetchMore)
  do {
    // Waits until a further page or the list's first fetch has finished loading. Without waiting, TanStack Query would
    // cancel the request for the further page. It would not repeat the first fetch, although the response may already
    // be outdated.
    if (isLoadingPage() || query.state.data === undefined) await query.promise?.catch(() => {})
    await queries.invalidateQueries({ queryKey: query.queryKey, exact: true })
  } while (isLoadingPage() && query.isActive())
}

/** Returns the items of open lists that come after the first page. */
export const itemsBelow = (queries: QueryClient, path: readonly unknown[]): Row[] =>
  openLists(queries, path).flatMap(query => {
    const items = (query.state.data as Endless | undefined)?.pages.flatMap(page => page.items) ?? []
    return items.slice(Number(inputOf(query).limit))
  })

/** The maximum number of items that are refetched at the same time. */
const AT_ONCE = 50

/**
 * Refetches changed items of the lists that are currently open, except for items on a list's first page.
 * `ids` contains the IDs of the changed items, and `ask` fetches one item by its ID.
 */
export async function replaceBelow(
  queries: QueryClient,
  path: readonly unknown[],
  ids: readonly string[],
  ask: (id: string) => Promise<Row>,
): Promise<void> {
  // Waits for pages that are currently loading, because they may contain the items' earlier state.
  await Promise.all(openLists(queries, path).map(waitForPage))
  const below = new Set(itemsBelow(queries, path).map(({ id }) => id))
  const changed = [...new Set(ids)].filter(id => below.has(id))
  for (let from = 0; from < changed.length; from += AT_ONCE) {
    const batch = changed.slice(from, from + AT_ONCE)
    const items = await Promise.all(batch.map(id => withRetries(queries, () => ask(id))))
    for (const query of openLists(queries, path)) {
      await waitForPage(query)
      queries.setQueryData<Endless>(
        query.queryKey,
        data => data && { ...data, pages: replaceItems(data.pages, items) },
      )
    }
  }
}
