import type { LiveChange } from '@gapura/server'
import type { QueryClient } from '@tanstack/react-query'
import { client, trpc } from '../api/trpc.ts'
import { inputOf, isEndless, replaceBelow } from './endless-queries.ts'
import { refetch, refreshTops } from './refetch-in-turn.ts'

/**
 * The minimum time in milliseconds between two requests for figures, such as totals. Figures aggregate many
 * payments, so they are not refetched for each change.
 */
const FIGURES_EVERY_MS = 3_000

export async function showChanges(queries: QueryClient, changes: readonly LiveChange[]): Promise<void> {
  if (changes.some(({ kind }) => kind === 'everything')) return showEverything(queries)
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
    refetch(queries, {
      queryKey: path,
      predicate: query => !isEndless(query) && isMeant(inputOf(query)),
    })
  const ofTouched = (input: Record<string, unknown>) => touched.has(String(input.payment_id))

  const work: Promise<unknown>[] = []
  if (payments.length > 0) {
    work.push(
      refreshTops(queries, trpc.payments.list.pathKey()),
      replaceBelow(queries, trpc.payments.list.pathKey(), payments, id =>
        client.payments.get.query({ payment_id: id }),
      ),
      refreshTops(queries, trpc.account.entries.pathKey()),
      invalidate(trpc.account.balance.pathKey()),
      refreshTops(queries, trpc.refunds.listDetails.pathKey()),
    )
    refreshFigures(queries)
  }
  if (touched.size > 0)
    work.push(
      invalidate(trpc.payments.pathKey(), ofTouched),
      invalidate(trpc.refunds.pathKey(), ofTouched),
      invalidate(trpc.support.refunds.pathKey(), ofTouched),
    )
  if (deliveries.length > 0) {
    work.push(
      refreshTops(queries, trpc.webhooks.deliveries.pathKey()),
      replaceBelow(queries, trpc.webhooks.deliveries.pathKey(), deliveries, id =>
        client.webhooks.delivery.query({ event_id: id }),
      ),
      invalidate(trpc.webhooks.delivery.pathKey(), input => deliveries.includes(String(input.event_id))),
      invalidate(trpc.webhooks.deliveries.pathKey(), ofTouched),
    )
  }
  if (idsOf('callback').length > 0) {
    work.push(
      refreshTops(queries, trpc.callbacks.pathKey()),
      // The query for provider callbacks is also refetched, because the Inbox uses it to show how many callbacks could
      // not be read.
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

/**
 * Called after a short interruption of live updates. Refetches the newest page of each long list, and refetches
 * all other data completely.
 */
export async function catchUp(queries: QueryClient): Promise<void> {
  await Promise.all([refreshTops(queries, []), refetch(queries, { predicate: query => !isEndless(query) })])
}

/**
 * Called after a long interruption of live updates. Refetches all data, because anything may have changed.
 */
export const showEverything = (queries: QueryClient): Promise<void> => refetch(queries, {})

let figuresWait: ReturnType<typeof setTimeout> | undefined
let figuresAreDue = false

/** Refetches figures, such as totals, immediately, but at most once every few seconds. */
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
