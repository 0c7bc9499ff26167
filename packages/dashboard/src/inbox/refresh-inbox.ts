import type { QueryClient } from '@tanstack/react-query'
import { trpc } from '../api/trpc.ts'

/**
 * Refetches the whole Inbox, because a decision on one item can also close others. For example, if a challenged payment
 * (held by the provider for a fraud check) is accepted, the records of its partial payments are closed too.
 */
export const refreshInbox = (queries: QueryClient): Promise<unknown> =>
  Promise.all(
    [
      trpc.unexpectedMoney,
      trpc.challengedPayments,
      trpc.unknownPayments,
      trpc.reconciliation,
      trpc.refunds,
    ].map(each => queries.invalidateQueries({ queryKey: each.pathKey() })),
  )
