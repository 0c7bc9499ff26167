import type { QueryClient } from '@tanstack/react-query'
import { trpc } from '../api/trpc.ts'

/**
 * Refetches the whole Inbox, because a decision on one item can also close other items. For example, if a
 * challenged payment is accepted, the records of its partial payments are closed.
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
