import { queryClient } from '../api/query-client.ts'
import { trpc } from '../api/trpc.ts'

/**
 * Refetches everything that a new or changed refund can affect: the refunds, the payment, and the balance
 * with its ledger entries.
 */
export const refreshRefunds = (paymentId: string): Promise<unknown> =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: trpc.refunds.pathKey() }),
    queryClient.invalidateQueries({
      queryKey: trpc.payments.pathKey(),
      predicate: ({ queryKey }) => JSON.stringify(queryKey).includes(paymentId),
    }),
    queryClient.invalidateQueries({ queryKey: trpc.account.pathKey() }),
  ])
