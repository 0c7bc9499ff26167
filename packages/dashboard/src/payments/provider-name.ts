import { useQuery } from '@tanstack/react-query'
import { trpc } from '../api/trpc.ts'
import { useAccount } from '../session/account.ts'

const lasting = { staleTime: Number.POSITIVE_INFINITY }

/**
 * Returns the providers whose names are known. The Owner (the service's operator) knows every provider. Any other
 * tenant knows only the providers it can use.
 */
export function useKnownProviders() {
  const isOwner = useAccount().role === 'owner'
  const { data: all } = useQuery(trpc.providers.providers.queryOptions({}, { ...lasting, enabled: isOwner }))
  const { data: used } = useQuery(
    trpc.methods.activeMethods.queryOptions({}, { ...lasting, enabled: !isOwner }),
  )
  return all?.items ?? used?.providers
}

/**
 * Returns a function that looks up a provider's name. If the provider no longer exists, the function returns
 * its code.
 */
export function useProviderName(): (code: string) => string {
  const providers = useKnownProviders()
  return code => providers?.find(provider => provider.code === code)?.name ?? code
}
