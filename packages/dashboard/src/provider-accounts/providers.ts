import { useQuery } from '@tanstack/react-query'
import { type Outputs, trpc } from '../api/trpc.ts'

export type Provider = Outputs['providers']['providers']['items'][number]

/** Every provider of this build, for the Owner; they change with the build alone. Others are not told of them. */
export const useProviders = (isOwner = true) =>
  useQuery(
    trpc.providers.providers.queryOptions(
      {},
      { staleTime: Number.POSITIVE_INFINITY, enabled: isOwner, select: ({ items }) => items },
    ),
  )
