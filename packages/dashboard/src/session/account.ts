import { useSuspenseQuery } from '@tanstack/react-query'
import { type Outputs, trpc } from '../api/trpc.ts'

export type Account = Outputs['tenants']['account']

/** Whoever logs in here is the same until somebody else does. */
export const accountQuery = () =>
  trpc.tenants.account.queryOptions({}, { staleTime: Number.POSITIVE_INFINITY })

/** The tenant and user that this is for; the shell has asked for it before any page is shown. */
export const useAccount = (): Account => useSuspenseQuery(accountQuery()).data
