import { useQuery } from '@tanstack/react-query'
import { trpc } from '../api/trpc.ts'
import { useAccount } from '../session/account.ts'

const lasting = { staleTime: Number.POSITIVE_INFINITY }

/** The Owner can list every provider. Other tenants see the providers that they use. */
export function useKnownProviders() {
  const isOwner = useAccount().role === 'owner'
  const { data: all } = useQuery(trpc.providers.providers.queryOptions({}, { ...lasting, enabled: isOwner }))
  const { data: used } = useQuery(
    trpc.methods.activeMethods.queryOptions({}, { ...lasting, enabled: !isOwner }),
  )
  return all?.items ?? used?.providers
}

/** Returns a provider's name by its code, or the code itself if the provider is no longer known. */
export function useProviderName(): (code: string) => string {
  const providers = useKnownProviders()
  return code => providers?.find(provider => provider.code === code)?.name ?? code
}
