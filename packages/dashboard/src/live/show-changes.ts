import type { LiveChange } from '@gapura/server'
import type { InfiniteData, Query, QueryClient } from '@tanstack/react-query'
import { client, trpc } from '../api/trpc.ts'
import { mergeTop, replaceItems } from './merge-top.ts'

/** Figures are sums over many payments: so often at the most they are made anew while payments come in. */
const FIGURES_EVERY_MS = 3_000

type Page<Item> = { items: Item[]; next_cursor: string | null }
type Endless<Item> = InfiniteData<Page<Item>, string | null>

export async function showChanges(queries: QueryClient, changes: readonly LiveChange[]): Promise<void> {
  const idsOf = (kind: LiveChange['kind']) => [
    ...new Set(changes.filter(change => change.kind === kind).map(({ id }) => id)),
  ]
  const payments = idsOf('payment')
  const deliveries = idsOf('delivery')
  const touched = new Set([...payments, ...changes.flatMap(({ payment_id }) => payment_id ?? [])])
  const invalidate = (
    path: readonly unknown[],
    isMeant: (input: Record<string, unknown>) => boolean = () => true,
  ) =>
    queries.invalidateQueries({
      queryKey: path,
      predicate: query => !isEndless(query) && isMeant(inputOf(query)),
    })
  const ofTouched = (input: Record<string, unknown>) => touched.has(String(input.payment_id))

  const work: Promise<unknown>[] = []
  if (payments.length > 0) {
    work.push(
      refreshTops(queries, trpc.payments.list.pathKey(), input => client.payments.list.query(input)),
      replaceBelow(queries, trpc.payments.list.pathKey(), payments, id =>
        client.payments.get.query({ payment_id: id }),
      ),
      refreshTops(queries, trpc.account.entries.pathKey(), input => client.account.entries.query(input)),
      invalidate(trpc.account.balance.pathKey()),
    )
    refreshFigures(queries)
  }
  if (touched.size > 0) work.push(invalidate(trpc.payments.pathKey(), ofTouched))
  if (deliveries.length > 0) {
    work.push(
      refreshTops(queries, trpc.webhooks.deliveries.pathKey(), input =>
        client.webhooks.deliveries.query(input),
      ),
      replaceBelow(queries, trpc.webhooks.deliveries.pathKey(), deliveries, id =>
        client.webhooks.delivery.query({ event_id: id }),
      ),
      invalidate(trpc.webhooks.delivery.pathKey(), input => deliveries.includes(String(input.event_id))),
      invalidate(trpc.webhooks.deliveries.pathKey(), ofTouched),
    )
  }
  if (idsOf('callback').length > 0) {
    work.push(
      refreshTops(queries, trpc.callbacks.list.pathKey(), input => client.callbacks.list.query(input)),
      refreshTops(queries, trpc.callbacks.rejected.pathKey(), input =>
        client.callbacks.rejected.query(input),
      ),
      queries.invalidateQueries({ queryKey: trpc.providers.health.pathKey() }),
    )
    refreshFigures(queries)
  }
  if (idsOf('inbox').length > 0) {
    work.push(
      queries.invalidateQueries({ queryKey: trpc.unexpectedMoney.pathKey() }),
      queries.invalidateQueries({ queryKey: trpc.challengedPayments.pathKey() }),
      queries.invalidateQueries({ queryKey: trpc.unknownPayments.pathKey() }),
    )
  }
  await Promise.all(work)
}

export const showEverything = (queries: QueryClient): Promise<void> =>
  queries.invalidateQueries({ type: 'active' })

let figures: ReturnType<typeof setTimeout> | undefined

function refreshFigures(queries: QueryClient): void {
  if (figures !== undefined) return
  figures = setTimeout(() => {
    figures = undefined
    void queries.invalidateQueries({ queryKey: trpc.reports.payments.pathKey() })
  }, FIGURES_EVERY_MS)
}

const metaOf = (query: Query) =>
  query.queryKey[1] as { input?: Record<string, unknown>; type?: string } | undefined
const isEndless = (query: Query): boolean => metaOf(query)?.type === 'infinite'
const inputOf = (query: Query): Record<string, unknown> => metaOf(query)?.input ?? {}

/** The newest page of each list that is open, asked for with the list's own filters. */
async function refreshTops<Item extends { id: string }>(
  queries: QueryClient,
  path: readonly unknown[],
  ask: (input: Record<string, unknown>) => Promise<Page<Item>>,
): Promise<void> {
  const open = queries.getQueryCache().findAll({ queryKey: path, type: 'active', predicate: isEndless })
  await Promise.all(
    open.map(async query => {
      const top = await ask(inputOf(query))
      queries.setQueryData<Endless<Item>>(query.queryKey, data => {
        if (!data) return data
        const { pages, isAnew } = mergeTop(data.pages, top)
        return { pages, pageParams: isAnew ? data.pageParams.slice(0, 1) : data.pageParams }
      })
    }),
  )
}

/** What changed further down in a list, each by itself. */
async function replaceBelow<Item extends { id: string }>(
  queries: QueryClient,
  path: readonly unknown[],
  ids: readonly string[],
  ask: (id: string) => Promise<Item>,
): Promise<void> {
  const open = queries.getQueryCache().findAll({ queryKey: path, type: 'active', predicate: isEndless })
  const shown = new Set(
    open.flatMap(
      query =>
        (query.state.data as Endless<Item> | undefined)?.pages
          .slice(1)
          .flatMap(page => page.items.map(({ id }) => id)) ?? [],
    ),
  )
  const below = ids.filter(id => shown.has(id))
  if (below.length === 0) return
  const items = await Promise.all(below.map(ask))
  for (const query of open) {
    queries.setQueryData<Endless<Item>>(
      query.queryKey,
      data => data && { ...data, pages: replaceItems(data.pages, items) },
    )
  }
}
