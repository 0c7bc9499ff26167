import { useQuery } from '@tanstack/react-query'
import { trpc } from '../api/trpc.ts'
import { useAccount } from '../session/account.ts'

const lasting = { staleTime: 60_000 }

/**
 * Returns whether the user's tenant pays or charges fees. If it does neither, the dashboard hides everything about
 * fees. Only the pages on which the Owner (the service's operator) or a Partner (a reseller) can set a fee schedule
 * stay visible.
 */
export function useHasFees(): boolean {
  const { role } = useAccount()
  const own = useQuery(trpc.fees.own.queryOptions(undefined, { ...lasting, enabled: role !== 'owner' }))
  const priced = useQuery(
    trpc.fees.pricedTenants.queryOptions({ limit: 1 }, { ...lasting, enabled: role !== 'client' }),
  )
  const isCharged = own.data !== undefined && (own.data.version !== null || own.data.upcoming.length > 0)
  return isCharged || (priced.data?.items.length ?? 0) > 0
}
