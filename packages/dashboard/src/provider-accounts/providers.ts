import { useQuery } from '@tanstack/react-query'
import { type Outputs, trpc } from '../api/trpc.ts'
import { useAccount } from '../session/account.ts'

export type Provider = Outputs['providers']['providers']['items'][number]

/** Every provider of this build, for the Owner; they change with the build alone. */
export function useProviders() {
  const { role } = useAccount()
  return useQuery(
    trpc.providers.providers.queryOptions(
      {},
      { staleTime: Number.POSITIVE_INFINITY, enabled: role === 'owner', select: ({ items }) => items },
    ),
  )
}
