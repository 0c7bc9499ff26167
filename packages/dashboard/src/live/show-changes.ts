import type { LiveChange } from '@gapura/server'
import type { QueryClient } from '@tanstack/react-query'
import { client, trpc } from '../api/trpc.ts'
import { inputOf, isEndless, refreshTops, replaceBelow } from './endless-queries.ts'

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
    queries.invalidateQueries({
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
    work.push(invalidate(trpc.payments.pathKey(), ofTouched), invalidate(trpc.refunds.pathKey(), ofTouched))
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
      queries.invalidateQueries({ queryKey: trpc.providers.health.pathKey() }),
    )
    refreshFigures(queries)
  }
  if (idsOf('inbox').length > 0) {
    work.push(
      queries.invalidateQueries({ queryKey: trpc.unexpectedMoney.pathKey() }),
      queries.invalidateQueries({ queryKey: trpc.challengedPayments.pathKey() }),
      queries.invalidateQueries({ queryKey: trpc.unknownPayments.pathKey() }),
      queries.invalidateQueries({ queryKey: trpc.reconciliation.pathKey() }),
      queries.invalidateQueries({ queryKey: trpc.refunds.pathKey() }),
    )
  }
  await Promise.all(work)
}

/**
 * Called after a short interruption of live updates. Refetches the newest page of each long list, and refetches
 * all other data completely.
 */
export async function catchUp(queries: QueryClient): Promise<void> {
  await Promise.all([
    refreshTops(queries, []),
    queries.invalidateQueries({ type: 'active', predicate: query => !isEndless(query) }),
  ])
}

/**
 * Called after a long interruption of live updates. Refetches all data, because anything may have changed.
 */
export const showEverything = (queries: QueryClient): Promise<void> =>
  queries.invalidateQueries({ type: 'active' })

let figuresWait: ReturnType<typeof setTimeout> | undefined
let figuresAreDue = false

/** Refetches figures, such as totals, immediately, but at most once every few seconds. */
function refreshFigures(queries: QueryClient): void {
  if (figuresWait !== undefined) {
    figuresAreDue = true
    return
  }
  void queries.invalidateQueries({ queryKey: trpc.reports.payments.pathKey() })
  figuresWait = setTimeout(() => {
    figuresWait = undefined
    if (!figuresAreDue) return
    figuresAreDue = false
    refreshFigures(queries)
  }, FIGURES_EVERY_MS)
}
