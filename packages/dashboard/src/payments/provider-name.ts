import { useQuery } from '@tanstack/react-query'
import { trpc } from '../api/trpc.ts'

/** By its code; of a provider that the account no longer uses the code itself. */
export function useProviderName(): (code: string) => string {
  const { data } = useQuery(
    trpc.methods.activeMethods.queryOptions({}, { staleTime: Number.POSITIVE_INFINITY }),
  )
  return code => data?.providers.find(provider => provider.code === code)?.name ?? code
}
