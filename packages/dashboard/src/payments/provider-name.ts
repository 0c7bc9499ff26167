import { useQuery } from '@tanstack/react-query'
import { trpc } from '../api/trpc.ts'
import { useAccount } from '../session/account.ts'

const lasting = { staleTime: Number.POSITIVE_INFINITY }

/**
 * Returns the providers whose names the dashboard can show to the user. For the Owner (the service's operator), these
 * are all providers. For any other tenant, these are the providers that the tenant can use.
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
