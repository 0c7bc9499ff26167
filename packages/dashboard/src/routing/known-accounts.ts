// The provider accounts a user may grant to other tenants. The Owner (the service's operator) may grant all
// accounts. A Partner may grant the accounts it may use, without seeing the Owner's names for them.

import { useQuery } from '@tanstack/react-query'
import { type Outputs, trpc } from '../api/trpc.ts'
import { useProviderName } from '../payments/provider-name.ts'
import { useAccount } from '../session/account.ts'

export type KnownAccount = Pick<
  Outputs['routes']['entitlements']['items'][number],
  'provider' | 'name' | 'mode' | 'enabled'
> & { id: string }

const FRESH_FOR_MS = 60_000

export const accountOf = ({
  provider_account_id,
  provider,
  name,
  mode,
  enabled,
}: Outputs['routes']['entitlements']['items'][number]): KnownAccount => ({
  ...{ id: provider_account_id, provider, name, mode, enabled },
})

export function useKnownAccounts(): KnownAccount[] {
  const { id, role } = useAccount()
  const all = useQuery(
    trpc.providers.health.queryOptions({}, { enabled: role === 'owner', staleTime: FRESH_FOR_MS }),
  )
  const own = useQuery(
    trpc.routes.entitlements.queryOptions(
      { tenant_id: id },
      { enabled: role === 'partner', staleTime: FRESH_FOR_MS },
    ),
  )
  const ofOwner = all.data?.items.map(({ account_id, provider_code, name, mode, enabled }) => ({
    ...{ id: account_id, provider: provider_code, name, mode, enabled },
  }))
  return ofOwner ?? own.data?.items.map(accountOf) ?? []
}

/**
 * Returns a function that labels a provider account with the name given by the Owner (the service's operator). If
 * the user cannot see this name, the label consists of the provider and the end of the account ID.
 */
export function useAccountLabel(): (account: Pick<KnownAccount, 'id' | 'name' | 'provider'>) => string {
  const nameOf = useProviderName()
  return ({ id, name, provider }) => name ?? `${nameOf(provider)} …${id.slice(-6)}`
}
