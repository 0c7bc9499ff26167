import { useQuery } from '@tanstack/react-query'
import { type Outputs, trpc } from '../api/trpc.ts'

export type Provider = Outputs['providers']['providers']['items'][number]

/**
 * Returns all providers that this build supports. Only the Owner (the service's operator) may list them. The cached
 * list never becomes stale, because it changes only when a new version of the service is released.
 */
export const useProviders = (isOwner = true) =>
  useQuery(
    trpc.providers.providers.queryOptions(
      {},
      { staleTime: Number.POSITIVE_INFINITY, enabled: isOwner, select: ({ items }) => items },
    ),
  )
