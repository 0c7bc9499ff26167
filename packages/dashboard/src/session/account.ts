import { useSuspenseQuery } from '@tanstack/react-query'
import { type Outputs, trpc } from '../api/trpc.ts'

export type Account = Outputs['tenants']['account']

/** Queries the current tenant and user. The result is cached until another user logs in. */
export const accountQuery = () =>
  trpc.tenants.account.queryOptions({}, { staleTime: Number.POSITIVE_INFINITY })

/** Returns the current tenant and user. The shell loads them before it shows any page. */
export const useAccount = (): Account => useSuspenseQuery(accountQuery()).data
