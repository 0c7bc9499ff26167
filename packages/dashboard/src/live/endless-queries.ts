// Lists in the cache that go on as they are scrolled, kept up to date without loading them again.

import type { InfiniteData, Query, QueryClient } from '@tanstack/react-query'
import { getUntypedClient } from '@trpc/client'
import { client } from '../api/trpc.ts'
import { mergeTop, replaceItems } from './merge-top.ts'

type Item = { id: string }
type Page = { items: Item[]; next_cursor: string | null }
type Endless = InfiniteData<Page, string | null>

const untyped = getUntypedClient(client)

const metaOf = (query: Query) =>
  query.queryKey[1] as { input?: Record<string, unknown>; type?: string } | undefined
export const isEndless = (query: Query): boolean => metaOf(query)?.type === 'infinite'
export const inputOf = (query: Query): Record<string, unknown> => metaOf(query)?.input ?? {}

const openLists = (queries: QueryClient, path: readonly unknown[]): Query[] =>
  queries.getQueryCache().findAll({ queryKey: path, type: 'active', predicate: isEndless })

/** How often the top of a list was asked for, and which of these answers it shows. */
const asked = new WeakMap<Query, number>()
const shown = new WeakMap<Query, number>()

/** The newest page of each list that is open, asked for with the list's own filters. path: of procedures. */
export async function refreshTops(queries: QueryClient, path: readonly unknown[]): Promise<void> {
  await Promise.all(openLists(queries, path).map(query => refreshTop(queries, query)))
}

async function refreshTop(queries: QueryClient, query: Query): Promise<void> {
  const turn = (asked.get(query) ?? 0) + 1
  asked.set(query, turn)
  const procedure = (query.queryKey[0] as string[]).join('.')
  for (;;) {
    // A page that is just being loaded is put behind those that there were when it was asked for.
    await query.promise?.catch(() => {})
    const top = (await untyped.query(procedure, inputOf(query))) as Page
    if ((shown.get(query) ?? 0) > turn) return
    if (query.state.fetchStatus === 'fetching') continue
    shown.set(query, turn)
    queries.setQueryData<Endless>(query.queryKey, data => {
      if (!data) return data
      const { pages, isAnew } = mergeTop(data.pages, top)
      return { pages, pageParams: isAnew ? data.pageParams.slice(0, 1) : data.pageParams }
    })
    return
  }
}

/** What changed below the newest page, each by itself. ask: for one of ids. */
export async function replaceBelow(
  queries: QueryClient,
  path: readonly unknown[],
  ids: readonly string[],
  ask: (id: string) => Promise<Item>,
): Promise<void> {
  const open = openLists(queries, path)
  const below = new Set(
    open.flatMap(query => {
      const items = (query.state.data as Endless | undefined)?.pages.flatMap(page => page.items) ?? []
      return items.slice(Number(inputOf(query).limit)).map(({ id }) => id)
    }),
  )
  const items = await Promise.all(ids.filter(id => below.has(id)).map(ask))
  if (items.length === 0) return
  for (const query of open) {
    queries.setQueryData<Endless>(
      query.queryKey,
      data => data && { ...data, pages: replaceItems(data.pages, items) },
    )
  }
}
