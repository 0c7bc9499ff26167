// Limits live updates to one refetch per query at a time. Changes can arrive faster than a request takes. If each change
// started a new request, the requests would cancel each other, or accumulate.

import type { Query, QueryClient, QueryFilters } from '@tanstack/react-query'
import { isEndless, openLists, refetchLoaded, refreshTop } from './endless-queries.ts'

/**
 * How much of a list to refetch: only its first page (`top`), or all loaded pages (`all`). Data that is not a list is
 * always refetched completely.
 */
type Extent = 'top' | 'all'

/** If a refetch takes longer than this many milliseconds, the next refetch no longer waits for it. */
const MAX_WAIT_MS = 60_000

/**
 * A refetch that is running. `due` is the part of the query to refetch again afterwards, or undefined if
 * there is nothing to refetch.
 */
type Turn = { due: Extent | undefined; ended: Promise<void> }
const turns = new WeakMap<Query, Turn>()

/**
 * Refetches a query. If changes arrive while the query is being refetched, only one more refetch follows, however many
 * changes there are. A refetch that fails even after its retries is not repeated, unless another refetch was requested.
 */
function refetchInTurn(queries: QueryClient, query: Query, extent: Extent): Promise<void> {
  const current = turns.get(query)
  if (current) {
    if (current.due !== 'all') current.due = extent
    return current.ended
  }
  const turn: Turn = { due: extent, ended: Promise.resolve() }
  turns.set(query, turn)
  turn.ended = takeTurn(queries, query, turn)
  return turn.ended
}

async function takeTurn(queries: QueryClient, query: Query, turn: Turn): Promise<void> {
  while (turn.due) {
    const run = turn.due === 'top' ? refreshTop : isEndless(query) ? refetchLoaded : refetchOnce
    turn.due = undefined
    await atMost(
      MAX_WAIT_MS,
      run(queries, query).catch(() => {}),
    )
  }
  turns.delete(query)
}

async function atMost(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeout = new Promise(resolve => {
    timer = setTimeout(resolve, ms)
  })
  await Promise.race([work, timeout])
  clearTimeout(timer)
}

/**
 * Refetches a query once. If the query's first fetch is still running, this function waits until it ends.
 * TanStack Query would not repeat the first fetch, although its response may already be outdated.
 */
async function refetchOnce(queries: QueryClient, query: Query): Promise<void> {
  if (query.state.data === undefined) await query.promise?.catch(() => {})
  await queries.invalidateQueries({ queryKey: query.queryKey, exact: true })
}

/**
 * Refetches the open pages' data that matches `filters`. Other data that matches is marked as stale, so it is
 * refetched when a page shows it.
 */
export async function refetch(queries: QueryClient, filters: QueryFilters): Promise<void> {
  await queries.invalidateQueries({ ...filters, refetchType: 'none' })
  const shown = queries.getQueryCache().findAll({ ...filters, type: 'active' })
  await Promise.all(shown.map(query => refetchInTurn(queries, query, 'all')))
}

/**
 * Refetches the first page of each open list, with the list's filters. If a list is sorted oldest first, also refetches
 * its last page if it is loaded, because new items are on that page. `path` is the start of a tRPC procedure's path.
 */
export async function refreshTops(queries: QueryClient, path: readonly unknown[]): Promise<void> {
  // If the user has left a list, for example to change the sort order, the list is not refetched now. It is
  // fetched again when the user returns to it.
  await queries.invalidateQueries({
    queryKey: path,
    type: 'inactive',
    predicate: isEndless,
    refetchType: 'none',
  })
  await Promise.all(openLists(queries, path).map(query => refetchInTurn(queries, query, 'top')))
}
