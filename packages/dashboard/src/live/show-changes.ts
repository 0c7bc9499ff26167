import type { LiveChange } from '@gapura/server'
import type { QueryClient } from '@tanstack/react-query'
import { client, trpc } from '../api/trpc.ts'
import {
  inputOf,
  isEndless,
  itemsBelow,
  openLists,
  type Row,
  replaceBelow,
  waitForPage,
} from './endless-queries.ts'
import { refetch, refreshTops } from './refetch-in-turn.ts'

/**
 * The minimum time in milliseconds between two requests for aggregated figures, such as totals. A figure
 * depends on many payments, so figures are not refetched for each change.
 */
const FIGURES_EVERY_MS = 3_000
/**
 * The maximum time in milliseconds for which a broken connection goes unnoticed. The stream reconnects after 40 seconds
 * without a message.
 */
const UNNOTICED_MS = 45_000

export async function showChanges(queries: QueryClient, changes: readonly LiveChange[]): Promise<void> {
  if (changes.some(({ kind }) => kind === 'everything')) return showEverything(queries)
  const idsOf = (kind: LiveChange['kind']) => idsIn(changes, kind)
  const payments = idsOf('payment')
  const deliveries = idsOf('delivery')
  const touched = new Set([...payments, ...changes.flatMap(({ payment_id }) => payment_id ?? [])])
  const invalidate = (
    path: readonly unknown[],
    isMeant: (input: Record<string, unknown>) => boolean = () => true,
  ) =>
    refetch(queries, {
      queryKey: path,
      predicate: query => !isEndless(query) && isMeant(inputOf(query)),
    })
  const ofTouched = (input: Record<string, unknown>) => touched.has(String(input.payment_id))

  const work: Promise<unknown>[] = []
  if (payments.length > 0) {
    work.push(
      refreshTops(queries, trpc.payments.list.pathKey()),
      replacePayments(queries, payments),
      refreshTops(queries, trpc.account.entries.pathKey()),
      invalidate(trpc.account.balance.pathKey()),
    )
    refreshFigures(queries)
  }
  if (payments.length > 0 || idsOf('refund').length > 0)
    work.push(
      refreshRows(queries, trpc.refunds.listDetails.pathKey(), row => touched.has(String(row.payment_id))),
    )
  if (touched.size > 0)
    work.push(
      invalidate(trpc.payments.pathKey(), ofTouched),
      invalidate(trpc.refunds.pathKey(), ofTouched),
      invalidate(trpc.support.refunds.pathKey(), ofTouched),
    )
  if (deliveries.length > 0) {
    work.push(
      refreshTops(queries, trpc.webhooks.deliveries.pathKey()),
      replaceDeliveries(queries, deliveries),
      invalidate(trpc.webhooks.delivery.pathKey(), input => deliveries.includes(String(input.event_id))),
      invalidate(trpc.webhooks.deliveries.pathKey(), ofTouched),
    )
  }
  const callbacks = new Set(idsOf('callback'))
  if (callbacks.size > 0) {
    work.push(
      refreshRows(queries, trpc.callbacks.pathKey(), ({ id }) => callbacks.has(id)),
      // The Inbox uses the query for provider callbacks to show how many callbacks could not be read, so this query is
      // refetched too.
      invalidate(trpc.callbacks.pathKey()),
      refetch(queries, { queryKey: trpc.providers.health.pathKey() }),
    )
    refreshFigures(queries)
  }
  if (idsOf('inbox').length > 0) {
    work.push(
      refetch(queries, { queryKey: trpc.unexpectedMoney.pathKey() }),
      refetch(queries, { queryKey: trpc.challengedPayments.pathKey() }),
      refetch(queries, { queryKey: trpc.unknownPayments.pathKey() }),
      refetch(queries, { queryKey: trpc.reconciliation.pathKey() }),
      refetch(queries, { queryKey: trpc.refunds.pathKey() }),
    )
  }
  await Promise.all(work)
}

const idsIn = (changes: readonly LiveChange[], kind: LiveChange['kind']): string[] => [
  ...new Set(changes.filter(change => change.kind === kind).map(({ id }) => id)),
]

/**
 * Refetches the first page of each open list under `path`. If a changed row is on a later page of one of these lists,
 * refetches all their loaded pages instead.
 */
async function refreshRows(
  queries: QueryClient,
  path: readonly unknown[],
  isChanged: (row: Row) => boolean,
): Promise<void> {
  // Waits until pages that are currently loading have arrived, because they may contain an earlier state of
  // the changed rows.
  await Promise.all(openLists(queries, path).map(waitForPage))
  return itemsBelow(queries, path).some(isChanged)
    ? refetch(queries, { queryKey: path, predicate: isEndless })
    : refreshTops(queries, path)
}

const replacePayments = (queries: QueryClient, ids: readonly string[]): Promise<void> =>
  replaceBelow(queries, trpc.payments.list.pathKey(), ids, id =>
    client.payments.get.query({ payment_id: id }),
  )

const replaceDeliveries = (queries: QueryClient, ids: readonly string[]): Promise<void> =>
  replaceBelow(queries, trpc.webhooks.deliveries.pathKey(), ids, id =>
    client.webhooks.delivery.query({ event_id: id }),
  )

/**
 * Refetches the data after a short interruption of live updates, which lasted for `lostForMs` milliseconds. For lists
 * of refunds and callbacks, refetches all loaded pages. For other long lists, refetches only the newest page and the
 * changed rows on later pages. Refetches all other data completely.
 */
export async function catchUp(queries: QueryClient, lostForMs: number): Promise<void> {
  await Promise.all([
    refreshTops(queries, []),
    refetch(queries, { predicate: query => !isEndless(query) }),
    replaceMissed(queries, lostForMs),
    // The service does not list which refunds and callbacks changed while live updates were interrupted, so
    // all loaded rows of their lists are refetched.
    refreshRows(queries, trpc.refunds.listDetails.pathKey(), () => true),
    refreshRows(queries, trpc.callbacks.pathKey(), () => true),
  ])
}

/**
 * After live updates were interrupted, refetches the rows that may have changed in the meantime, except those
 * on the first page of each list.
 */
async function replaceMissed(queries: QueryClient, lostForMs: number): Promise<void> {
  const payments = itemsBelow(queries, trpc.payments.list.pathKey())
  const deliveries = itemsBelow(queries, trpc.webhooks.deliveries.pathKey())
  if (payments.length + deliveries.length === 0) return
  const changes = await client.live.recent
    .query({ ms: lostForMs + UNNOTICED_MS })
    .catch(() => [{ kind: 'everything' as const, id: '', payment_id: null }])
  if (changes.some(({ kind }) => kind === 'everything')) return showEverything(queries)
  // The service lists only deliveries of recent webhook events. A delivery of an older event can have changed only if
  // it is pending.
  const pending = deliveries.filter(each => 'status' in each && each.status === 'pending')
  await Promise.all([
    replacePayments(queries, idsIn(changes, 'payment')),
    replaceDeliveries(queries, [...idsIn(changes, 'delivery'), ...pending.map(({ id }) => id)]),
  ])
}

/** Called after a long interruption of live updates. Refetches all data, because anything may have changed. */
export const showEverything = (queries: QueryClient): Promise<void> => refetch(queries, {})

let figuresWait: ReturnType<typeof setTimeout> | undefined
let figuresAreDue = false

/**
 * Refetches figures, such as totals. Further calls within a few seconds cause only one more refetch, at the
 * end of this time.
 */
function refreshFigures(queries: QueryClient): void {
  if (figuresWait !== undefined) {
    figuresAreDue = true
    return
  }
  void refetch(queries, { queryKey: trpc.reports.payments.pathKey() })
  figuresWait = setTimeout(() => {
    figuresWait = undefined
    if (!figuresAreDue) return
    figuresAreDue = false
    refreshFigures(queries)
  }, FIGURES_EVERY_MS)
}
