import { useQuery } from '@tanstack/react-query'
import { type Outputs, trpc } from '../api/trpc.ts'
import { useAccount } from '../session/account.ts'

export type Provider = Outputs['providers']['providers']['items'][number]

/** Every provider of this build, for the Owner; they change with the build alone. */
export const useProviders = (isAsked = true) =>
  useQuery(
    trpc.providers.providers.queryOptions(
      {},
      { staleTime: Number.POSITIVE_INFINITY, enabled: isAsked, select: ({ items }) => items },
    ),
  )

/** A provider by its code, as people call it; others than the Owner are told the code. */
export function useProviderName(): (code: string) => string {
  const { role } = useAccount()
  const { data } = useProviders(role === 'owner')
  return code => data?.find(provider => provider.code === code)?.name ?? withCapital(code)
}

const withCapital = (code: string) => code.charAt(0).toUpperCase() + code.slice(1)
